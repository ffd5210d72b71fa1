#include "core/text/hf_normalizers.h"

#include "core/text/base64.h"
#include "core/text/hf_sequence.h"
#include "core/text/normal_form.h"
#include "core/text/precompiled.h"
#include "core/text/text_edits.h"

namespace plastiscope {

namespace {

using Step = std::shared_ptr<const Normalizer>;

Step readNormalForm(const JsonNode& node) {
  return makeNormalForm(node.text("type"));
}

Step readPrepend(const JsonNode& node) {
  return makePrepend(node.text("prepend"));
}

Step readReplace(const JsonNode& node) {
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

Step readStrip(const JsonNode& node) {
  return makeStrip(node.flagOr("strip_left", true), node.flagOr("strip_right", true));
}

Step readPrecompiled(const JsonNode& node) {
  const JsonNode map = node.child("precompiled_charsmap");
  const auto blob = bytesOfBase64(map.asText());
  if (!blob) map.refuse("base64", "other text");
  if (blob->empty()) return makePrecompiled({});
  return makePrecompiled(CharsMap(*blob, map.file(), map.place()));
}

struct Kind {
  std::string_view name;  // `type`
  Step (*read)(const JsonNode& node);
};

// To add a normaliser: a class in its own file, a reader, and a line here.
constexpr Kind kKinds[] = {
    {"NFC", readNormalForm},  {"NFD", readNormalForm},          {"NFKC", readNormalForm},
    {"NFKD", readNormalForm}, {"Prepend", readPrepend},         {"Replace", readReplace},
    {"Strip", readStrip},     {"Precompiled", readPrecompiled},
};

}  // namespace

Normalizers readNormalizers(const JsonNode& root) {
  Normalizers result;
  if (!root.has("normalizer")) return result;
  for (const JsonNode& node : flattened(root.child("normalizer"), "normalizers"))
    result.push_back(kindOf(node, kKinds).read(node));
  return result;
}

}  // namespace plastiscope
