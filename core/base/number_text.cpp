#include "core/base/number_text.h"

#include <charconv>
#include <cmath>

namespace plastiscope {

std::string numberText(double value) {
  if (std::isnan(value)) return "";
  char text[64];
  const auto result = std::to_chars(text, text + sizeof text, value);
  return {text, result.ptr};
}

}  // namespace plastiscope
