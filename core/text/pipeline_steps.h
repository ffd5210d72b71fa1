#pragma once
// The steps of a tokenizer before and behind its vocabulary.
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/text/aligned_text.h"
#include "core/text/pre_split.h"
#include "core/text/regex_split.h"
#include "core/text/tokenizer.h"

namespace plastiscope {

// ---- The steps that cut a normalised text into pieces, one after the other.

// Cuts every piece at the matches of a rule, of a plain string, or of a pattern that is no rule.
struct CutStep {
  using Pattern = std::variant<SplitScanner, std::string, std::shared_ptr<const RegexSplitter>>;
  Pattern pattern;
  SplitBehavior behavior = SplitBehavior::Isolated;
  bool invert = false;  // what lies between the matches are the matches
};

// Puts a space before every piece that does not start with one.
struct PrefixSpace {};

// `Metaspace`: spaces become `symbol`; it is put before pieces that do not start with it, and every piece is
// cut before it.
struct Metaspace {
  enum class Prepend { Always, First, Never };  // First: only at the start of the whole text
  std::string symbol;
  Prepend prepend = Prepend::Always;
  bool split = true;
};

using SplitStep = std::variant<CutStep, PrefixSpace, Metaspace>;

// A text and its pieces.
struct SplitText {
  AlignedText text;
  std::vector<Span> pieces;
};

SplitText splitIntoPieces(AlignedText text, const std::vector<SplitStep>& steps, TextLimits& limits);

// ---- What is done to the tokens of a text at the end: offsets trimmed, tokens of the model's template
// added.

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
