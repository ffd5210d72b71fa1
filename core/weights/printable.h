#pragma once
#include <string>
#include <string_view>

namespace plastiscope {
// A name from a file as it may stand in a message: control characters and what is not ASCII as '?', long ones
// cut.
std::string printable(std::string_view name);
}  // namespace plastiscope
