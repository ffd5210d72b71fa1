#pragma once
// Helpers that the scanners share.
#include <cstddef>
#include <string_view>

#include "core/text/char_class.h"
#include "core/text/pre_split.h"
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

// Behind the character at `position`.
inline std::size_t behind(std::string_view text, std::size_t position) {
  nextCodePoint(text, position);
  return position;
}

inline bool isLineBreak(char32_t character) {
  return character == '\r' || character == '\n';
}

// Reads \s+(?!\S)|\s+ at the start of white space: all of it at the end of the text, else all but its last
// character, else that one.
inline std::size_t whitespaceEnd(std::string_view text, std::size_t position) {
  const std::size_t end = runEnd(text, position, isWhitespace);
  if (end == text.size()) return end;
  const std::size_t last = previousCodePoint(text, end);
  return last > position ? last : end;
}

// Reads \s*[\r\n]+|\s+(?!\S)|\s+ at the start of white space.
std::size_t lineOrWhitespaceEnd(std::string_view text, std::size_t position);

// Up to `most` numbers.
std::size_t numberEnd(std::string_view text, std::size_t position, int most);

// Length of 's 't 'm 'd 're 've 'll at `position`, or 0. Without regard to case, U+017F is an s too.
std::size_t contractionLength(std::string_view text, std::size_t position, bool anyCase);

using CharacterTest = bool (*)(char32_t);
// The end of the match at a position, or the position itself where there is none.
using MatchEnd = std::size_t (*)(std::string_view text, std::size_t position);

// Cuts at the ends of all matches.
template <MatchEnd matchEnd>
void matches(std::string_view text, std::vector<Cut>& cuts) {
  std::size_t done = 0;
  for (std::size_t position = 0; position < text.size();) {
    const std::size_t end = matchEnd(text, position);
    if (end == position) {
      position = behind(text, position);
      continue;
    }
    if (position > done) cuts.push_back({position, false});
    cuts.push_back({end, true});
    position = done = end;
  }
  if (done < text.size()) cuts.push_back({text.size(), false});
}

// One character, or a run of them, for which `belongs` holds.
template <CharacterTest belongs>
std::size_t oneEnd(std::string_view text, std::size_t position) {
  std::size_t next = position;
  return belongs(nextCodePoint(text, next)) ? next : position;
}
template <CharacterTest belongs>
std::size_t allEnd(std::string_view text, std::size_t position) {
  return runEnd(text, position, belongs);
}

}  // namespace plastiscope::split
