#include "core/text/hf_steps.h"

#include <functional>

namespace plastiscope {

namespace {

// The node itself, or the members of a `Sequence`, whose list has the name `listKey`.
std::vector<JsonNode> flattened(const JsonNode& node, const std::string& listKey) {
  if (node.text("type") != "Sequence") return {node};
  std::vector<JsonNode> result;
  for (const JsonNode& item : node.child(listKey).items()) {
    for (const JsonNode& inner : flattened(item, listKey)) result.push_back(inner);
  }
  return result;
}

struct PreTokenizer {
  std::string_view name;  // `type`
  void (*read)(const JsonNode& node, std::vector<SplitStep>& steps);
};

void readByteLevel(const JsonNode& node, std::vector<SplitStep>& steps) {
  if (node.flagOr("add_prefix_space", true)) steps.emplace_back(PrefixSpace{});
  if (node.flagOr("use_regex", true)) steps.push_back(findSplitRule("gpt2"));
}

void readDigits(const JsonNode& node, std::vector<SplitStep>& steps) {
  steps.push_back(findSplitRule(node.flagOr("individual_digits", false) ? "digits" : "digit_runs"));
}

// Only patterns that match everything are known, or ones that isolate their matches; "Removed" of what does
// not match is the same for the former.
void readSplit(const JsonNode& node, std::vector<SplitStep>& steps) {
  const JsonNode pattern = node.child("pattern");
  const std::string regex = pattern.text("Regex");
  const SplitRule* rule = splitRuleOfPattern(regex);
  if (rule == nullptr) {
    std::string known;
    for (const SplitRule& each : splitRules()) known += (known.empty() ? "" : ", ") + std::string(each.name);
    pattern.refuse("one of the known patterns (" + known + ")", "\"" + regex + "\"");
  }
  const std::string behavior = node.text("behavior");
  const bool invert = node.flagOr("invert", false);
  const bool isolated = behavior == "Isolated" && !invert;
  const bool restRemoved = behavior == "Removed" && invert && rule->matchesAll;
  if (!isolated && !restRemoved) {
    node.refuse("behavior Isolated without invert", behavior + (invert ? " with invert" : ""));
  }
  steps.push_back(rule);
}

constexpr PreTokenizer kPreTokenizers[] = {
    {"Split", readSplit},
    {"Digits", readDigits},
    {"ByteLevel", readByteLevel},
};

template <typename List>
const auto* findNamed(const List& list, const std::string& name) {
  for (const auto& entry : list) {
    if (entry.name == name) return &entry;
  }
  return static_cast<decltype(&*std::begin(list))>(nullptr);
}

struct PostProcessor {
  std::string_view name;  // `type`
  void (*read)(const JsonNode& node, std::vector<PostStep>& steps);
};

void readTrimming(const JsonNode& node, std::vector<PostStep>& steps) {
  if (node.flagOr("trim_offsets", true))
    steps.emplace_back(TrimOffsets{node.flagOr("add_prefix_space", true)});
}

void readTemplate(const JsonNode& node, std::vector<PostStep>& steps) {
  AddTemplate result;
  int texts = 0;
  for (const JsonNode& piece : node.child("single").items()) {
    if (piece.has("Sequence")) {
      ++texts;
      if (piece.child("Sequence").text("id") != "A")
        piece.refuse("the text itself (Sequence A)", shortJson(piece.value()));
      continue;
    }
    const std::string name = piece.child("SpecialToken").text("id");
    auto& side = texts == 0 ? result.before : result.after;
    for (const JsonNode& id : node.child("special_tokens").child(name).child("ids").items())
      side.push_back(id.asId());
  }
  if (texts != 1) node.refuse("a template with the text once", std::to_string(texts) + " times");
  if (!result.before.empty() || !result.after.empty()) steps.emplace_back(std::move(result));
}

constexpr PostProcessor kPostProcessors[] = {
    {"ByteLevel", readTrimming},
    {"TemplateProcessing", readTemplate},
};

}  // namespace

std::vector<const Normalizer*> readNormalizers(const JsonNode& root) {
  std::vector<const Normalizer*> result;
  if (!root.has("normalizer")) return result;
  for (const JsonNode& node : flattened(root.child("normalizer"), "normalizers")) {
    const std::string type = node.text("type");
    const Normalizer* normalizer = findNormalizer(type);
    if (normalizer == nullptr) node.refuseUnknown(type, normalizers());
    result.push_back(normalizer);
  }
  return result;
}

std::vector<SplitStep> readPreTokenizer(const JsonNode& root) {
  std::vector<SplitStep> steps;
  std::string last = "none";
  if (root.has("pre_tokenizer")) {
    for (const JsonNode& node : flattened(root.child("pre_tokenizer"), "pretokenizers")) {
      if (last == "ByteLevel") node.refuse("nothing behind ByteLevel", node.text("type"));
      last = node.text("type");
      const PreTokenizer* known = findNamed(kPreTokenizers, last);
      if (known == nullptr) node.refuseUnknown(last, kPreTokenizers);
      known->read(node, steps);
    }
  }
  if (last != "ByteLevel") root.refuse("a pre_tokenizer that ends in ByteLevel (byte-level BPE)", last);
  return steps;
}

std::vector<PostStep> readPostProcessor(const JsonNode& root) {
  std::vector<PostStep> steps;
  if (!root.has("post_processor")) return steps;
  for (const JsonNode& node : flattened(root.child("post_processor"), "processors")) {
    const std::string type = node.text("type");
    const PostProcessor* known = findNamed(kPostProcessors, type);
    if (known == nullptr) node.refuseUnknown(type, kPostProcessors);
    known->read(node, steps);
  }
  return steps;
}

}  // namespace plastiscope
