#pragma once
// Joins words for messages.
#include <functional>
#include <string>
#include <string_view>

#include "core/base/error.h"

namespace plastiscope {

// "a, b, c": the items, or the result of `of` for each.
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

// "; did you mean ap_drop?" for the known name nearest to `wrong`; `otherwise` when none is near.
template <typename Names>
std::string didYouMean(const std::string& wrong, const Names& known, const std::string& otherwise = {}) {
  const std::string near = nearestName(wrong, known);
  return near.empty() ? otherwise : "; did you mean " + near + "?";
}

}  // namespace plastiscope
