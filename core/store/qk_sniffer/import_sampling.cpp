#include "core/store/qk_sniffer/import_sources.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "core/base/error.h"
#include "core/capture/position_sampler.h"
#include "core/store/qk_sniffer/capture_metadata.h"
#include "core/store/schema.h"

namespace plastiscope {

namespace {

// Whether every row's bucket is the one that the sampler would give it.
template <typename BucketOf>
bool bucketsAre(const ImportSources& from, const BucketOf& bucketOf) {
  for (const auto& [key, shared] : from.index.shared) {
    for (std::size_t i = 0; i < shared.rows.position.size(); ++i) {
      if (shared.rows.bucket[i] != bucketOf(shared.rows.position[i])) return false;
    }
  }
  return true;
}

// The thesis' own buckets when the rows agree, the author's default sampler when they agree with that.
void guessSampling(CaptureInfo& info, const ImportSources& from) {
  const std::int64_t usual = std::max<std::int64_t>(1, info.window / 16);
  if (bucketsAre(from, [&](std::int64_t position) { return position / usual; })) {
    info.sampler = "uniform";
    info.bucketSize = usual;
    return;
  }
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  for (const auto& [key, shared] : from.index.shared) {
    for (const std::int32_t bucket : shared.rows.bucket) least = std::min<std::int64_t>(least, bucket);
  }
  const auto logBucket = [&](std::int64_t position) {
    return std::max<std::int64_t>(least, std::bit_width(static_cast<std::uint64_t>(position) + 1) - 1);
  };
  if (least < 31 && bucketsAre(from, logBucket)) {
    info.sampler = "log_uniform";
    info.bucketSize = std::int64_t{1} << least;
    return;
  }
  throw UsageError(
      "the data set does not state its sampler and bucket size, and its buckets are not those of window / "
      "16: "
      "give --sampler and --bucket-size");
}

}  // namespace

void fillWindow(CaptureInfo& info, const ImportSources& from) {
  std::optional<std::int64_t> window;
  if (from.request.window > 0) window = from.request.window;
  if (!window) window = from.facts.capture.integer("window", 1, kMostImportPositions);
  if (!window) window = from.state.integer({"window", "max_length"}, 1, kMostImportPositions);
  if (!window && info.contextLength > 0) {
    window = info.contextLength;
    from.progress.warned("the window is not stated: the model's context of " + withCommas(*window) +
                         " tokens is taken; give --window if the texts were cut elsewhere");
  }
  if (!window) {
    const auto next = std::bit_ceil(static_cast<std::uint64_t>(from.index.lastPosition) + 1);
    throw UsageError(
        "the qk-sniffer layout does not state the window to which texts were cut: give --window (the rows "
        "reach position " +
        withCommas(from.index.lastPosition) + ", so perhaps --window " + std::to_string(next) +
        ") or --model");
  }
  if (*window > kMostImportPositions)
    throw UsageError("--window: expected at most " + withCommas(kMostImportPositions) + " tokens");
  info.window = *window;
  requirePositionsBelow(from.index, info.window);
}

void fillSampling(CaptureInfo& info, const ImportSources& from) {
  std::optional<std::string> sampler, point;
  if (!from.request.sampler.empty()) sampler = from.request.sampler;
  if (!sampler) sampler = from.facts.capture.text("sampler");
  if (!sampler) sampler = from.state.text({"sampling_strategy"});
  std::optional<std::int64_t> bucket;
  if (from.request.bucketSize > 0) bucket = from.request.bucketSize;
  if (!bucket) bucket = from.facts.capture.integer("bucket_size", 1, kMostImportPositions);
  if (!bucket)
    bucket = from.state.integer(
        {"sampling_bucket_size", "sampling_min_bucket_size", "bucket_size", "min_bucket_size"}, 1,
        kMostImportPositions);
  if (sampler && bucket) {
    info.sampler = positionSampler(samplerOf(*sampler)).name;
    info.bucketSize = *bucket;
  } else {
    guessSampling(info, from);
    if (sampler) info.sampler = positionSampler(samplerOf(*sampler)).name;
    if (bucket) info.bucketSize = *bucket;
  }
  info.rate =
      from.request.rate
          ? *from.request.rate
          : from.facts.capture.number("rate").value_or(from.state.number("sampling_base_rate").value_or(1));
  info.headSeed = from.facts.capture.integer("head_seed", INT64_MIN, INT64_MAX)
                      .value_or(from.state.integer({"head_sampling_seed"}, INT64_MIN, INT64_MAX).value_or(0));
  if (!from.request.point.empty()) point = from.request.point;
  if (!point) point = from.facts.capture.text("point");
  if (!point && from.state.integer({"capture_pre_rope"}, 0, 1).value_or(0) == 1) point = "pre-rope";
  info.point = point.value_or("post-rope");
  if (info.point != "post-rope" && info.point != "pre-rope") {
    throw UsageError("--point: expected post-rope or pre-rope, found \"" + info.point + "\"");
  }
  info.computeDtype = from.facts.capture.text("compute_dtype").value_or(kUnknownFact);
  info.device = from.facts.capture.text("device").value_or(kUnknownFact);
  info.trainedContext =
      from.facts.capture.integer(schema::kTrainedContext, 0, std::int64_t{1} << 40).value_or(0);
}

}  // namespace plastiscope
