#include "core/store/qk_sniffer/import_info.h"

#include <algorithm>
#include <bit>

#include "core/base/error.h"
#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/base/version.h"
#include "core/capture/position_sampler.h"
#include "core/model/model.h"
#include "core/model/rope_settings.h"
#include "core/store/schema.h"

namespace plastiscope {

namespace {

// ---- layers

bool ropeOf(const ImportSources& from, std::int64_t number) {
  if (from.request.nopeLayers) {
    return std::find(from.request.nopeLayers->begin(), from.request.nopeLayers->end(), number) ==
           from.request.nopeLayers->end();
  }
  if (from.spec) return from.spec->layers.at(number).rope;
  return from.facts.layers.object(schema::number(number)).flagOr("rope", true);
}

// The column sliding_window has the value seen by qk-sniffer; it may be missing for models with windows.
void setWindow(const ImportSources& from, CaptureLayerInfo& layer) {
  const auto found = from.index.slidingWindows.find(layer.layer);
  if (found == from.index.slidingWindows.end() || !found->second || *found->second == layer.window) return;
  if (from.spec) {
    from.progress.warned("layer " + std::to_string(layer.layer) + ": the rows have a window of " +
                         withCommas(*found->second) + " tokens, the model has " +
                         (layer.window > 0 ? withCommas(layer.window) : "none") +
                         "; the window of the rows is kept");
  }
  layer.window = *found->second;
  if (layer.attention == "full") layer.attention = "sliding";
}

void fillLayers(CaptureInfo& info, const ImportSources& from) {
  for (const std::int64_t number : from.index.layers()) {
    CaptureLayerInfo layer;
    layer.layer = number;
    if (from.spec) {
      const LayerSpec& spec = from.spec->layers.at(number);
      layer.attention = nameOf(spec.attention);
      layer.window = spec.window;
      layer.queryScale = spec.queryScale;
    } else {
      const CheckedJson facts = from.facts.layers.object(schema::number(number));
      layer.attention = facts.findText("attention").value_or("full");
      layer.window = facts.integerOr("window", 0, 0, std::int64_t{1} << 40);
      layer.queryScale = facts.flagOr("query_scale", false);
    }
    layer.rope = ropeOf(from, number);
    setWindow(from, layer);
    layer.queryHeads = from.index.heads.at({number, RowSet::Query});
    layer.keyHeads = from.index.heads.at({number, RowSet::Key});
    layer.queryRows = from.index.rows(number, RowSet::Query);
    layer.keyRows = from.index.rows(number, RowSet::Key);
    info.layerInfos.push_back(layer);
  }
  for (const auto& [key, heads] : from.index.heads) {
    if (key.second == RowSet::Key && !from.index.heads.contains({key.first, RowSet::Query})) {
      from.progress.warned("layer " + std::to_string(key.first) + " has keys but no queries and is left out");
    }
  }
}

// ---- sampling

// Whether every row has the bucket that the sampler would give it.
template <typename BucketOf>
bool bucketsAre(const ImportSources& from, const BucketOf& bucketOf) {
  for (const auto& [key, shared] : from.index.shared) {
    for (std::size_t i = 0; i < shared.rows.position.size(); ++i) {
      if (shared.rows.bucket[i] != bucketOf(shared.rows.position[i])) return false;
    }
  }
  return true;
}

// Uses the buckets of the thesis if the rows match them, else qk-sniffer's default sampler if they match
// that.
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

void fillWindow(CaptureInfo& info, const ImportSources& from) {
  std::optional<std::int64_t> window;
  if (from.request.window > 0) window = from.request.window;
  if (!window) window = from.facts.capture.findInteger("window", 1, kMaxImportPositions);
  if (!window) window = from.state.integer({"window", "max_length"}, 1, kMaxImportPositions);
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
  if (*window > kMaxImportPositions)
    throw UsageError("--window: expected at most " + withCommas(kMaxImportPositions) + " tokens");
  info.window = *window;
  requirePositionsBelow(from.index, info.window);
}

void fillSampling(CaptureInfo& info, const ImportSources& from) {
  std::optional<std::string> sampler, point;
  if (!from.request.sampler.empty()) sampler = from.request.sampler;
  if (!sampler) sampler = from.facts.capture.findText("sampler");
  if (!sampler) sampler = from.state.metadata.findText("sampling_strategy");
  std::optional<std::int64_t> bucket;
  if (from.request.bucketSize > 0) bucket = from.request.bucketSize;
  if (!bucket) bucket = from.facts.capture.findInteger("bucket_size", 1, kMaxImportPositions);
  if (!bucket)
    bucket = from.state.integer(
        {"sampling_bucket_size", "sampling_min_bucket_size", "bucket_size", "min_bucket_size"}, 1,
        kMaxImportPositions);
  if (sampler && bucket) {
    info.sampler = positionSampler(samplerOf(*sampler)).name;
    info.bucketSize = *bucket;
  } else {
    guessSampling(info, from);
    if (sampler) info.sampler = positionSampler(samplerOf(*sampler)).name;
    if (bucket) info.bucketSize = *bucket;
  }
  info.rate = from.request.rate ? *from.request.rate
                                : from.facts.capture.findNumber("rate").value_or(
                                      from.state.metadata.findNumber("sampling_base_rate").value_or(1));
  info.headSeed = from.facts.capture.findInteger("head_seed", INT64_MIN, INT64_MAX)
                      .value_or(from.state.integer({"head_sampling_seed"}, INT64_MIN, INT64_MAX).value_or(0));
  if (!from.request.point.empty()) point = from.request.point;
  if (!point) point = from.facts.capture.findText("point");
  if (!point && from.state.integer({"capture_pre_rope"}, 0, 1).value_or(0) == 1) point = "pre-rope";
  info.point = point.value_or("post-rope");
  if (info.point != "post-rope" && info.point != "pre-rope") {
    throw UsageError("--point: expected post-rope or pre-rope, found \"" + info.point + "\"");
  }
  info.computeDtype = from.facts.capture.findText("compute_dtype").value_or(kUnknownFact);
  info.device = from.facts.capture.findText("device").value_or(kUnknownFact);
  info.trainedContext = from.facts.capture.integerOr(schema::kTrainedContext, 0, 0, std::int64_t{1} << 40);
}

// ---- the rest

void fillRope(CaptureInfo& info, const ImportSources& from) {
  if (!from.request.rope->is_null()) {
    try {
      const std::int64_t positions = info.contextLength > 0 ? info.contextLength : info.window;
      info.rope = readRope(normalRopeSettings(from.request.rope, "--rope"),
                           {"--rope", info.headDim, positions, 0, {}})
                      .toJson();
    } catch (const InputError& error) {
      throw UsageError(error.what());
    }
  } else if (from.spec) {
    info.rope = ropeJson(*from.spec);
  } else if (from.facts.model.has("rope")) {
    info.rope = from.facts.model.object("rope").json();
  } else {
    info.rope = Json{{"rope_type", kUnknownFact}};
    from.progress.warned("the RoPE settings are not known; give --model or --rope");
  }
}

// The layout has no lengths of texts: the last row of an example counts as its end.
void fillExamples(CaptureInfo& info, const ImportSources& from) {
  std::vector<std::int64_t> tokens(from.index.exampleIds.size(), 1);
  for (const auto& [key, shared] : from.index.shared) {
    for (std::size_t i = 0; i < shared.rows.position.size(); ++i) {
      std::int64_t& length = tokens[shared.rows.example[i]];
      length = std::max<std::int64_t>(length, shared.rows.position[i] + std::int64_t{1});
    }
  }
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const std::int32_t id = from.index.exampleIds[i];
    CaptureExampleInfo example{std::to_string(id), id, tokens[i], ""};
    if (const auto facts = from.facts.examples.find(id); facts != from.facts.examples.end()) {
      example.seedId = facts->second.seedId;
      example.tokens = std::clamp(facts->second.tokens, tokens[i], info.window);
      example.sha256 = facts->second.sha256;
    }
    info.examples.push_back(example);
  }
}

std::string digestOfRows(const QkIndex& index) {
  Sha256 hash;
  for (const auto& [key, shared] : index.shared) {
    for (const auto* column : {&shared.rows.position, &shared.rows.example, &shared.rows.bucket}) {
      hash.add(std::as_bytes(std::span(*column)));
    }
  }
  hash.add(std::as_bytes(std::span(index.exampleIds)));
  return hash.hex();
}

void fillSettings(CaptureInfo& info, const ImportSources& from) {
  Json settings = {{"import", "qk-sniffer"},
                   {"model", info.modelName},
                   {"window", info.window},
                   {"sampler", info.sampler},
                   {"bucket_size", info.bucketSize},
                   {"rate", info.rate},
                   {"point", info.point},
                   {"store", "float32"},
                   {"examples", info.examples.size()},
                   {"rows_sha256", digestOfRows(from.index)},
                   {kSourceMetadata, from.state.metadata.json()}};
  info.settings = settings;
  info.settings.set(kSourceMetadata, captureMetadata(info, info.point));
  info.settingsHash = sha256Hex(canonicalJson(info.settings));
}

}  // namespace

ImportSources::ImportSources(const QkImportRequest& asked, const QkFolder& data, const QkIndex& rows,
                             Progress& told)
    : request(asked),
      folder(data),
      index(rows),
      progress(told),
      state(readSaverState(data)),
      facts(readCaptureFacts(data.path)) {
  if (request.model.empty()) return;
  modelPath = resolveModelPath(request.model);
  spec = readModelSpec(modelPath);
}

CaptureInfo importedInfo(const QkImportRequest& request, const QkFolder& folder, const QkIndex& index,
                         Progress& progress) {
  const ImportSources from(request, folder, index, progress);
  CaptureInfo info;
  info.programVersion = kVersion;
  for (const auto fill :
       {fillModel, fillWindow, fillSampling, fillLayers, fillRope, fillExamples, fillSettings})
    fill(info, from);
  return info;
}

}  // namespace plastiscope
