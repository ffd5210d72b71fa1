#include "core/weights/printable.h"

#include <algorithm>

namespace plastiscope {

std::string printable(std::string_view name) {
  constexpr std::size_t kMost = 120;
  std::string text(name.substr(0, kMost));
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  return name.size() > kMost ? text + "..." : text;
}

}  // namespace plastiscope
