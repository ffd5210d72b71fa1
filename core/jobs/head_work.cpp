#include "core/jobs/head_work.h"

#include <algorithm>
#include <set>

#include "core/base/error.h"
#include "core/capture/head_choice.h"

namespace plastiscope {

namespace {

constexpr std::int64_t kMostBins = 100000;
constexpr std::int64_t kMostTokens = std::int64_t{1} << 31;

// --heads and --layers; an empty list takes everything.
struct Filter {
  std::set<HeadName> heads;
  std::set<std::int64_t> layers;

  explicit Filter(const AnalysisSettings& settings) {
    if (!settings.heads.empty()) {
      const auto list = parseHeadList(settings.heads);
      heads.insert(list.begin(), list.end());
    }
    if (!settings.layers.empty()) {
      const auto list = parseLayerList(settings.layers);
      layers.insert(list.begin(), list.end());
    }
  }
  bool holds(const HeadName& head) const {
    return (heads.empty() || heads.contains(head)) && (layers.empty() || layers.contains(head.layer));
  }
};

void requireCaptured(const CaptureInfo& info, const Filter& filter) {
  std::set<HeadName> captured;
  std::set<std::int64_t> layers;
  for (const CaptureLayerInfo& layer : info.layerInfos) {
    for (const std::int64_t head : layer.queryHeads) captured.insert({layer.layer, head});
    if (!layer.queryHeads.empty()) layers.insert(layer.layer);
  }
  for (const HeadName& head : filter.heads) {
    if (!captured.contains(head)) throw UsageError("head " + head.text() + " was not captured");
  }
  for (const std::int64_t layer : filter.layers) {
    if (!layers.contains(layer))
      throw UsageError("layer " + std::to_string(layer) + " has no captured heads");
  }
}

}  // namespace

HeadWork chooseHeadWork(const CaptureInfo& info, const AnalysisSettings& settings) {
  const Filter filter(settings);
  requireCaptured(info, filter);
  const std::int64_t groupSize =
      info.keyHeads > 0 ? std::max<std::int64_t>(1, info.queryHeads / info.keyHeads) : 1;
  HeadWork work;
  for (const CaptureLayerInfo& layer : info.layerInfos) {
    std::vector<std::int64_t> heads = layer.queryHeads;
    std::sort(heads.begin(), heads.end());
    std::int64_t openKvHead = -1;
    for (const std::int64_t head : heads) {
      if (!filter.holds({layer.layer, head})) continue;
      const std::int64_t kvHead = head / groupSize;
      if (kvHead != openKvHead) work.groups.push_back({kvHead, {}, {}});
      openKvHead = kvHead;
      work.groups.back().heads.push_back(
          {layer.layer, head, kvHead, layer.attention, layer.rope, layer.window});
      work.groups.back().slot.push_back(work.heads++);
    }
  }
  if (work.heads == 0)
    throw UsageError("no captured head is both in the list of heads and in the list of layers");
  return work;
}

CaptureFrame frameOf(const CaptureInfo& info) {
  if (info.window < 1 || info.window > kMostTokens || info.bucketSize < 1 || info.bucketSize > kMostTokens) {
    throw InputError("the capture states a window of " + std::to_string(info.window) + " and buckets of " +
                     std::to_string(info.bucketSize) + " tokens: expected 1 to " +
                     std::to_string(kMostTokens));
  }
  return {info.window, info.bucketSize, info.sampler == "log_uniform", info.scoreScale};
}

BinGrid gridOf(const CaptureInfo& info, const AnalysisSettings& settings) {
  std::int64_t rows = 0, heads = 0;
  for (const CaptureLayerInfo& layer : info.layerInfos) {
    const auto count = static_cast<std::int64_t>(layer.queryHeads.size());
    rows += count * layer.queryRows;
    heads += count;
  }
  const CaptureFrame frame = frameOf(info);
  const std::int64_t density = std::min(densityBinCount(rows, heads), kMostBins);
  const bool wantsBuckets =
      settings.bins == "buckets" || settings.pairScope == "same_bucket" || settings.orientation == "legacy";
  if (wantsBuckets && !frame.logBuckets && frame.window / frame.bucketSize >= kMostBins) {
    throw UsageError("bins: the capture has more than " + std::to_string(kMostBins) +
                     " buckets; choose density or a number, and pairs and orientation without buckets");
  }
  return makeBinGrid(settings, frame, density);
}

}  // namespace plastiscope
