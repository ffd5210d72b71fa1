#pragma once
// Lists of words in sentences.
#include <functional>
#include <string>

#include "core/base/error.h"

namespace plastiscope {

// "a, b, c"; `wordOf` gives the word of an entry.
template <typename List, typename WordOf = std::identity>
std::string listed(const List& list, const WordOf& wordOf = {}) {
  std::string text;
  for (const auto& entry : list) {
    if (!text.empty()) text += ", ";
    text += std::invoke(wordOf, entry);
  }
  return text;
}

// "; did you mean ap_drop?" for the known name that is nearest to `wrong`; `otherwise` where none is near.
template <typename Names>
std::string didYouMean(const std::string& wrong, const Names& known, const std::string& otherwise = {}) {
  const std::string near = nearestName(wrong, known);
  return near.empty() ? otherwise : "; did you mean " + near + "?";
}

}  // namespace plastiscope
