#include "core/model/model_spec.h"

namespace plastiscope {

std::string_view nameOf(AttentionKind kind) {
  static constexpr std::string_view kNames[] = {"full", "sliding", "cross"};
  return kNames[static_cast<std::size_t>(kind)];
}

}  // namespace plastiscope
