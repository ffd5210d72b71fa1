#include "core/forward/forward.h"

#include <algorithm>

namespace plastiscope {

std::string_view nameOf(CapturePoint point) {
  return point == CapturePoint::PostRope ? "post-rope" : "pre-rope";
}

bool Interventions::changes(std::int64_t layer) const {
  return std::any_of(ablated.begin(), ablated.end(), [&](const auto& head) { return head.layer == layer; }) ||
         std::any_of(clamped.begin(), clamped.end(),
                     [&](const auto& clamp) { return clamp.at.layer == layer; });
}

}  // namespace plastiscope
