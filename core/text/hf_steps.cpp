#include "core/text/hf_parts.h"

#include "core/text/pre_split/scanners.h"
#include "core/text/unicode.h"

namespace plastiscope {

namespace {

constexpr std::size_t kMaxAround = 64;  // tokens that a template adds to every text

struct NamedBehavior {
  std::string_view name;
  SplitBehavior behavior;
};
constexpr NamedBehavior kBehaviors[] = {
    {"Isolated", SplitBehavior::Isolated},
    {"Removed", SplitBehavior::Removed},
    {"MergedWithPrevious", SplitBehavior::MergedWithPrevious},
    {"MergedWithNext", SplitBehavior::MergedWithNext},
    {"Contiguous", SplitBehavior::Contiguous},
};

SplitBehavior behaviorOf(const CheckedJson& node) {
  const std::string name = node.text("behavior");
  for (const NamedBehavior& known : kBehaviors) {
    if (known.name == name) return known.behavior;
  }
  node.child("behavior").refuseUnknown(name, kBehaviors);
}

using Steps = std::vector<SplitStep>;

struct StepKind {
  std::string_view name;  // `type`
  void (*read)(const CheckedJson& node, Steps& steps);
};

void readByteLevel(const CheckedJson& node, Steps& steps) {
  if (node.flagOr("add_prefix_space", true)) steps.emplace_back(PrefixSpace{});
  if (node.flagOr("use_regex", true))
    steps.emplace_back(CutStep{split::gpt2, SplitBehavior::Isolated, false});
}

void readDigits(const CheckedJson& node, Steps& steps) {
  const bool single = node.flagOr("individual_digits", false);
  steps.emplace_back(
      CutStep{split::numericCharacters, single ? SplitBehavior::Isolated : SplitBehavior::Contiguous, false});
}

void readPunctuation(const CheckedJson& node, Steps& steps) {
  const SplitBehavior behavior = node.has("behavior") ? behaviorOf(node) : SplitBehavior::Isolated;
  steps.emplace_back(CutStep{split::punctuationCharacters, behavior, false});
}

void readWhitespaceSplit(const CheckedJson&, Steps& steps) {
  steps.emplace_back(CutStep{split::whitespaceCharacters, SplitBehavior::Removed, false});
}

void readWhitespace(const CheckedJson&, Steps& steps) {
  steps.emplace_back(CutStep{split::words, SplitBehavior::Removed, true});
}

void readSplit(const CheckedJson& node, Steps& steps) {
  const CheckedJson pattern = node.child("pattern");
  CutStep step{"", behaviorOf(node), node.flagOr("invert", false)};
  if (pattern.has("String")) {
    const std::string text = pattern.text("String");
    if (text.empty()) pattern.refuse("a text to split at", "an empty one");
    step.pattern = text;
  } else {
    step.pattern = readPattern(pattern.child("Regex"));
  }
  steps.emplace_back(std::move(step));
}

struct NamedPrepend {
  std::string_view name;
  Metaspace::Prepend scheme;
};
constexpr NamedPrepend kPrependSchemes[] = {
    {"always", Metaspace::Prepend::Always},
    {"first", Metaspace::Prepend::First},
    {"never", Metaspace::Prepend::Never},
};

// Older files have add_prefix_space instead of prepend_scheme, or both.
Metaspace::Prepend prependSchemeOf(const CheckedJson& node) {
  const bool never = !node.flagOr("add_prefix_space", true);
  const std::string name = node.textOr("prepend_scheme", never ? "never" : "always");
  if (never && name != "never")
    node.refuse("prepend_scheme never, because add_prefix_space is false", "prepend_scheme " + name);
  for (const NamedPrepend& known : kPrependSchemes) {
    if (known.name == name) return known.scheme;
  }
  node.child("prepend_scheme").refuseUnknown(name, kPrependSchemes);
}

void readMetaspace(const CheckedJson& node, Steps& steps) {
  Metaspace step{node.text("replacement"), prependSchemeOf(node), node.flagOr("split", true)};
  std::size_t length = 0;
  if (!step.symbol.empty()) nextCodePoint(step.symbol, length);
  if (length == 0 || length != step.symbol.size())
    node.child("replacement").refuse("one character", "\"" + step.symbol + "\"");
  steps.emplace_back(std::move(step));
}

// To add a pre-tokenizer: a reader, and a line here.
constexpr StepKind kPreTokenizers[] = {
    {"Split", readSplit},
    {"Digits", readDigits},
    {"Punctuation", readPunctuation},
    {"WhitespaceSplit", readWhitespaceSplit},
    {"Whitespace", readWhitespace},
    {"Metaspace", readMetaspace},
    {"ByteLevel", readByteLevel},
};

struct PostKind {
  std::string_view name;  // `type`
  void (*read)(const CheckedJson& node, std::vector<PostStep>& steps);
};

void readTrimming(const CheckedJson& node, std::vector<PostStep>& steps) {
  if (node.flagOr("trim_offsets", true))
    steps.emplace_back(TrimOffsets{node.flagOr("add_prefix_space", true)});
}

void readTemplate(const CheckedJson& node, std::vector<PostStep>& steps) {
  AddTemplate result;
  int texts = 0;
  for (const CheckedJson& piece : node.child("single").items()) {
    if (piece.has("Sequence")) {
      ++texts;
      if (piece.child("Sequence").text("id") != "A") piece.refuse("the text itself (Sequence A)");
      continue;
    }
    const std::string name = piece.child("SpecialToken").text("id");
    auto& side = texts == 0 ? result.before : result.after;
    for (const CheckedJson& id : node.child("special_tokens").child(name).child("ids").items())
      side.push_back(tokenId(id));
  }
  if (result.before.size() + result.after.size() > kMaxAround)
    node.refuse("at most " + std::to_string(kMaxAround) + " tokens around the text", "more");
  if (texts != 1) node.refuse("a template with the text once", std::to_string(texts) + " times");
  if (!result.before.empty() || !result.after.empty()) steps.emplace_back(std::move(result));
}

constexpr PostKind kPostProcessors[] = {
    {"ByteLevel", readTrimming},
    {"TemplateProcessing", readTemplate},
};

}  // namespace

CutStep::Pattern readPattern(const CheckedJson& node) {
  const std::string pattern = node.asText();
  if (const SplitRule* rule = splitRuleOfPattern(pattern)) return rule->scan;
  return std::make_shared<const RegexSplitter>(pattern, node.file(), node.place());
}

PreTokenizer readPreTokenizer(const CheckedJson& root) {
  PreTokenizer result;
  if (!root.has("pre_tokenizer")) return result;
  for (const CheckedJson& node : flattened(root.child("pre_tokenizer"), "pretokenizers")) {
    if (result.byteLevel) node.refuse("nothing behind ByteLevel", node.text("type"));
    kindOf(node, kPreTokenizers).read(node, result.steps);
    result.byteLevel = node.text("type") == "ByteLevel";
  }
  return result;
}

std::vector<PostStep> readPostProcessor(const CheckedJson& root, bool byteLevel) {
  std::vector<PostStep> steps;
  if (!root.has("post_processor")) return steps;
  for (const CheckedJson& node : flattened(root.child("post_processor"), "processors")) {
    kindOf(node, kPostProcessors).read(node, steps);
    const bool trims = !steps.empty() && std::holds_alternative<TrimOffsets>(steps.back());
    if (trims && !byteLevel) node.refuse("trim_offsets false, because the pieces are not bytes", "true");
  }
  return steps;
}

}  // namespace plastiscope
