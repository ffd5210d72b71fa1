#pragma once
// The steps that cut a normalised text into pieces, one after the other.
#include <string>
#include <variant>
#include <vector>

#include "core/text/aligned_text.h"
#include "core/text/pre_split.h"

namespace plastiscope {

// Cuts every piece at the matches of a rule, or of a plain string.
struct CutStep {
  SplitScanner scan = nullptr;  // nullptr: `text`
  std::string text;
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

}  // namespace plastiscope
