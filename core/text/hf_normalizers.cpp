#include "core/text/hf_normalizers.h"

#include "core/text/base64.h"
#include "core/text/hf_sequence.h"
#include "core/text/normal_form.h"
#include "core/text/precompiled.h"
#include "core/text/text_edits.h"

namespace plastiscope {

namespace {

using NormalizerStep = std::shared_ptr<const Normalizer>;

NormalizerStep readNormalForm(const JsonNode& node) {
  return makeNormalForm(node.text("type"));
}

NormalizerStep readPrepend(const JsonNode& node) {
  return makePrepend(node.text("prepend"));
}

NormalizerStep readReplace(const JsonNode& node) {
  const JsonNode pattern = node.child("pattern");
  const std::string content = node.text("content");
  if (pattern.has("String")) {
    if (pattern.text("String").empty()) pattern.refuse("a text to replace", "an empty one");
    return makeReplace(pattern.text("String"), content);
  }
  const std::string regex = pattern.text("Regex");
  if (regex == " {2,}") return makeReplaceSpaceRuns(content);
  pattern.refuse("a String or the Regex \" {2,}\"", "the Regex \"" + regex + "\"");
}

NormalizerStep readStrip(const JsonNode& node) {
  return makeStrip(node.flagOr("strip_left", true), node.flagOr("strip_right", true));
}

NormalizerStep readPrecompiled(const JsonNode& node) {
  const JsonNode map = node.child("precompiled_charsmap");
  const auto blob = bytesOfBase64(map.asText());
  if (!blob) map.refuse("base64", "other text");
  if (blob->empty()) return makePrecompiled({});
  return makePrecompiled(CharsMap(*blob, map.file(), map.place()));
}

struct NormalizerKind {
  std::string_view name;  // `type`
  NormalizerStep (*read)(const JsonNode& node);
};

// To add a normaliser: a class in its own file, a reader, and a line here.
constexpr NormalizerKind kNormalizerKinds[] = {
    {"NFC", readNormalForm},  {"NFD", readNormalForm},          {"NFKC", readNormalForm},
    {"NFKD", readNormalForm}, {"Prepend", readPrepend},         {"Replace", readReplace},
    {"Strip", readStrip},     {"Precompiled", readPrecompiled},
};

}  // namespace

Normalizers readNormalizers(const JsonNode& root) {
  Normalizers result;
  if (!root.has("normalizer")) return result;
  for (const JsonNode& node : flattened(root.child("normalizer"), "normalizers"))
    result.push_back(kindOf(node, kNormalizerKinds).read(node));
  return result;
}

}  // namespace plastiscope
