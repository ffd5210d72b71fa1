#pragma once
// Helpers for the scanners.
#include <cstddef>
#include <string_view>

#include "core/text/char_class.h"
#include "core/text/pre_split.h"
#include "core/text/utf8.h"

namespace plastiscope::split {

// End of the run of characters from `position` on that satisfy `belongs`.
template <typename Belongs>
std::size_t runEnd(std::string_view text, std::size_t position, Belongs belongs) {
  while (position < text.size()) {
    std::size_t next = position;
    if (!belongs(nextCodePoint(text, next))) break;
    position = next;
  }
  return position;
}

// The character at `position`, or 0 at the end.
inline char32_t peek(std::string_view text, std::size_t position) {
  return position < text.size() ? nextCodePoint(text, position) : 0;
}

// The position after the character at `position`.
inline std::size_t behind(std::string_view text, std::size_t position) {
  nextCodePoint(text, position);
  return position;
}

inline bool isLineBreak(char32_t character) {
  return character == '\r' || character == '\n';
}

// Matches \s+(?!\S)|\s+ at the start of white space: all of it at the end of the text, else all but its last
// character, or that character if it is the only one.
inline std::size_t whitespaceEnd(std::string_view text, std::size_t position) {
  const std::size_t end = runEnd(text, position, isWhitespace);
  if (end == text.size()) return end;
  const std::size_t last = previousCodePoint(text, end);
  return last > position ? last : end;
}

// Matches \s*[\r
// ]+|\s+(?!\S)|\s+ at the start of white space.
std::size_t lineOrWhitespaceEnd(std::string_view text, std::size_t position);

// End of a run of at most `most` numbers.
std::size_t numberEnd(std::string_view text, std::size_t position, int most);

// Length of 's 't 'm 'd 're 've 'll at `position`, or 0. With `anyCase`, U+017F counts as s.
std::size_t contractionLength(std::string_view text, std::size_t position, bool anyCase);

using CharacterTest = bool (*)(char32_t);
// The end of the match at a position, or the position itself if there is none.
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

// Ends of one character, or of a run of characters, that satisfy `belongs`.
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
