#include "core/jobs/table_context.h"

#include <cmath>
#include <optional>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/model/rope_kinds.h"
#include "core/model/rope_settings.h"

namespace plastiscope {

namespace {

// Settings of one layer: the capture's only ones, or those of the layer's type.
const Json* settingsOf(const Json& rope, const std::string& attention) {
  if (!rope.is_object() || rope.empty()) return nullptr;
  if (!isByLayerType(rope)) return &rope;
  const auto found = rope.find(attention + "_attention");
  return found == rope.end() ? nullptr : &*found;
}

std::optional<RopePairs> pairsOf(const Json& settings, const CaptureInfo& info) {
  constexpr std::int64_t kMostDimensions = 65536;
  const bool known = settings.contains("rope_theta");  // some imports do not
  if (!known || info.headDim < 2 || info.headDim > kMostDimensions) return std::nullopt;
  RopeContext context;
  context.headDim = info.headDim;
  context.maxPositions = info.contextLength;
  context.extraKeys = {"interleaved"};
  try {
    const RopeSpec spec = readRope(settings, context);
    RopePairs pairs{ropePairFrequencies(spec, info.window), settings.value("interleaved", Json()) == true};
    for (const double frequency : pairs.frequencies) {
      if (!std::isfinite(frequency)) return std::nullopt;
    }
    return pairs;
  } catch (const InputError&) {
    return std::nullopt;
  }
}

}  // namespace

TableContext tableContextOf(const CaptureInfo& info, const AnalysisSettings& settings) {
  TableContext context;
  context.settings = settings;
  context.layers = info.layers;
  for (const CaptureLayerInfo& layer : info.layerInfos) {
    const Json* rope = layer.rope ? settingsOf(info.rope, layer.attention) : nullptr;
    if (rope == nullptr) continue;
    if (auto pairs = pairsOf(*rope, info)) context.rope[layer.layer] = std::move(*pairs);
  }
  return context;
}

}  // namespace plastiscope
