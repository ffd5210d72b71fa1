#pragma once
// Helpers that the scanners share.
#include <cstddef>
#include <string_view>

#include "core/text/char_class.h"
#include "core/text/utf8.h"

namespace plastiscope::split {

// End of the run of characters from `position` on for which `belongs` holds.
template <typename Belongs>
std::size_t runEnd(std::string_view text, std::size_t position, Belongs belongs) {
  while (position < text.size()) {
    std::size_t next = position;
    if (!belongs(nextCodePoint(text, next))) break;
    position = next;
  }
  return position;
}

// The character at `position` (0 behind the end), without moving.
inline char32_t peek(std::string_view text, std::size_t position) {
  return position < text.size() ? nextCodePoint(text, position) : 0;
}

// Reads \s+(?!\S)|\s+ at the start of white space: all of it at the end of the text, else all but its last
// character, else that one.
inline std::size_t whitespaceEnd(std::string_view text, std::size_t position) {
  const std::size_t end = runEnd(text, position, isWhitespace);
  if (end == text.size()) return end;
  const std::size_t last = previousCodePoint(text, end);
  return last > position ? last : end;
}

// Length of 's 't 'm 'd 're 've 'll at `position`, or 0. Without regard to case, U+017F is an s too.
std::size_t contractionLength(std::string_view text, std::size_t position, bool anyCase);

}  // namespace plastiscope::split
