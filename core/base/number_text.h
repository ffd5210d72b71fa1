#pragma once
#include <string>

namespace plastiscope {
// Shortest text that reads back to the same double, with '.', whatever the locale; "" for NaN (missing).
std::string numberText(double value);
}  // namespace plastiscope
