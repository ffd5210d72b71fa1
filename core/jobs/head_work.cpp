#include "core/jobs/head_work.h"

#include <algorithm>
#include <set>

#include "core/base/error.h"
#include "core/capture/head_list.h"

namespace plastiscope {

namespace {

constexpr std::int64_t kMostBins = 100000;
constexpr std::int64_t kMostTokens = std::int64_t{1} << 31;

// What --heads and --layers mean in a capture; an empty list takes everything.
struct Filter {
  std::set<HeadName> heads;
  std::set<std::int64_t> layers;

  Filter(const CaptureInfo& info, const AnalysisSettings& settings) {
    std::vector<HeadName> captured;
    std::vector<std::int64_t> withHeads;
    for (const CaptureLayerInfo& layer : info.layerInfos) {
      for (const std::int64_t head : layer.queryHeads) captured.push_back({layer.layer, head});
      if (!layer.queryHeads.empty()) withHeads.push_back(layer.layer);
    }
    if (!settings.heads.empty()) {
      const auto meant = headsMeant(settings.heads, captured);
      heads.insert(meant.begin(), meant.end());
    }
    if (!settings.layers.empty()) {
      const auto meant = layersMeant(settings.layers, withHeads);
      layers.insert(meant.begin(), meant.end());
    }
  }
  bool holds(const HeadName& head) const {
    return (heads.empty() || heads.contains(head)) && (layers.empty() || layers.contains(head.layer));
  }
};

}  // namespace

HeadWork chooseHeadWork(const CaptureInfo& info, const AnalysisSettings& settings) {
  const Filter filter(info, settings);
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
