#pragma once
// The words around a captured row.
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

// Every token of an example as it reads: valid UTF-8 without line breaks, in the place of which stands the
// sign for them. A character that is cut between tokens is shown by its first one; a token without a visible
// character has the label of invisibleLabel().
std::vector<std::string> shownTokens(std::span<const std::string> tokens);

// The token at `position` and up to `reach` characters on each side of it. `tokens`: the bytes of every token
// of the example (CaptureFile::tokenTexts). A character that is cut between tokens is shown by its first one.
// Line breaks become the sign for them, so that a row stays one line.
RowText rowTextOf(std::span<const std::string> tokens, std::int64_t position, std::size_t reach);

// At most so many characters; an ellipsis for those that are cut.
std::string beginningOf(const std::string& text, std::size_t characters);

}  // namespace plastiscope
