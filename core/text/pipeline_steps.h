#pragma once
// Steps of a tokenizer before and after its vocabulary.
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

// ---- Steps that split a normalised text into pieces, applied in order.

// Splits pieces at the matches of a rule, a plain string or a regular expression.
struct CutStep {
  using Pattern = std::variant<SplitScanner, std::string, std::shared_ptr<const RegexSplitter>>;
  Pattern pattern;
  SplitBehavior behavior = SplitBehavior::Isolated;
  bool invert = false;  // matches are the parts in between
};

// Adds a space before every piece that does not start with one.
struct PrefixSpace {};

// `Metaspace`: replaces spaces by `symbol`, adds it before pieces that do not start with it, and splits
// before it.
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

// ---- Steps after encoding: trim offsets, add tokens of the model's template.

// `ByteLevel` with trim_offsets: excludes spaces at the ends from the ranges of tokens.
struct TrimOffsets {
  bool addPrefixSpace = false;  // the first token may start with an added space, which is not trimmed
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

// The tokens of a text while the steps run.
struct TokenRow {
  Encoding encoding;
  std::vector<TokenSpaces> spaces;  // one per token if offsets are trimmed, else empty
};

void trimOffsets(const TrimOffsets& step, std::string_view text, TokenRow& tokens);
void addTemplate(const AddTemplate& step, TokenRow& tokens);

}  // namespace plastiscope
