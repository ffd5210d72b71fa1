#pragma once
// What is done to the tokens of a text at the end: offsets trimmed, tokens of the model's template added.
#include <cstdint>
#include <string_view>
#include <variant>
#include <vector>

#include "core/text/tokenizer.h"

namespace plastiscope {

// `ByteLevel` with trim_offsets: a token's range leaves out the spaces at its ends.
struct TrimOffsets {
  bool addPrefixSpace = false;  // one leading space of the first token may be an added one and is not trimmed
};

// `TemplateProcessing`: ids around the text.
struct AddTemplate {
  std::vector<std::int32_t> before, after;
};

using PostStep = std::variant<TrimOffsets, AddTemplate>;

// Leading and trailing white space of a token, in characters.
struct TokenSpaces {
  std::int64_t leading = 0, trailing = 0;
};

// The tokens of a text on their way to the caller.
struct TokenRow {
  Encoding encoding;
  std::vector<TokenSpaces> spaces;  // one per token, where offsets are trimmed
};

void trimOffsets(const TrimOffsets& step, std::string_view text, TokenRow& tokens);
void addTemplate(const AddTemplate& step, TokenRow& tokens);

}  // namespace plastiscope
