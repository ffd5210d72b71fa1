#include "core/forward/forward.h"

namespace plastiscope {

std::string_view nameOf(CapturePoint point) {
  return point == CapturePoint::PostRope ? "post-rope" : "pre-rope";
}

}  // namespace plastiscope
