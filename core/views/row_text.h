#pragma once
// Text around a captured row.
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace plastiscope {

// Valid UTF-8 without line breaks; empty without a text.
struct RowText {
  std::string before, token, after;
  bool empty() const { return before.empty() && token.empty() && after.empty(); }
};

// Display form of every token of an example: valid UTF-8 with a sign for each line break. A character that is
// split between tokens is shown by the first of them; a token without a visible character is shown as
// invisibleLabel().
std::vector<std::string> shownTokens(std::span<const std::string> tokens);

// The token at `position` and up to `reach` characters on each side of it. `tokens`: the bytes of every token
// of the example (CaptureFile::tokenTexts). A character split between tokens is shown by the first of them.
// Line breaks become a sign, so that a row stays one line.
RowText rowTextOf(std::span<const std::string> tokens, std::int64_t position, std::size_t reach);

// Shortens a text to that many characters, with an ellipsis if it was cut.
std::string beginningOf(const std::string& text, std::size_t characters);

}  // namespace plastiscope
