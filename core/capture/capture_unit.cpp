#include "core/capture/capture_unit.h"

#include "core/capture/head_choice.h"
#include "core/capture/position_sampler.h"

namespace plastiscope {

namespace {

std::vector<std::int64_t> headsOfLayer(const std::vector<HeadName>& heads, std::int64_t layer) {
  std::vector<std::int64_t> found;
  for (const HeadName& head : heads) {
    if (head.layer == layer) found.push_back(head.head);
  }
  return found;
}

}  // namespace

UnitLayout unitLayout(const CapturePlan& plan, const ModelSpec& spec) {
  const std::vector<HeadName> queryHeads = chooseHeads(plan, spec);
  const std::vector<HeadName> keyHeads = keyHeadsOf(queryHeads, spec);
  const CapturePoint first = plan.point == "pre-rope" ? CapturePoint::PreRope : CapturePoint::PostRope;
  UnitLayout layout{{}, spec.headDim, plan.store == "float16"};
  for (std::int64_t layer = 0; layer < spec.layerCount; ++layer) {
    const auto queries = headsOfLayer(queryHeads, layer), keys = headsOfLayer(keyHeads, layer);
    if (queries.empty()) continue;
    layout.blocks.push_back({layer, QueryOrKey::Query, first, false, queries});
    layout.blocks.push_back({layer, QueryOrKey::Key, first, false, keys});
    if (plan.point != "both") continue;
    layout.blocks.push_back({layer, QueryOrKey::Query, CapturePoint::PreRope, true, queries});
    layout.blocks.push_back({layer, QueryOrKey::Key, CapturePoint::PreRope, true, keys});
  }
  return layout;
}

double expectedUnitBytes(const CapturePlan& plan, const UnitLayout& layout, std::int64_t tokens) {
  const double rows =
      positionSampler(plan.sampler).expectedRows({plan.window, plan.bucketSize, plan.rate}, tokens);
  const double rowBytes = static_cast<double>(layout.headDim) * (layout.half ? 2 : 4);
  double bytes = 0;
  for (const UnitBlock& block : layout.blocks) {
    bytes += rows * (8 + rowBytes * static_cast<double>(block.heads.size()));
  }
  return bytes;
}

}  // namespace plastiscope
