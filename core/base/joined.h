#pragma once
// Lists in sentences.
#include <functional>
#include <string>
#include <string_view>

namespace plastiscope {

// "a, b, c": the texts, or what `of` makes of each item.
template <typename Items, typename Of = std::identity>
std::string joined(Items&& items, Of of = {}, std::string_view between = ", ") {
  std::string text;
  bool first = true;
  for (const auto& item : items) {
    if (!first) text += between;
    text += std::invoke(of, item);
    first = false;
  }
  return text;
}

}  // namespace plastiscope
