#pragma once
// The parts of a tokenizer.json.
#include <memory>
#include <string>
#include <vector>

#include "core/base/checked_json.h"
#include "core/text/merges.h"
#include "core/text/normalizers.h"
#include "core/text/piece_model.h"
#include "core/text/pipeline_tokenizer.h"
#include "core/text/tokenizer_files.h"

namespace plastiscope {

// ---- The vocabulary of a tokenizer.json.

constexpr std::size_t kMaxTokens = 2'000'000, kMaxMerges = 4'000'000;

// InputError when a list or object has more than `most` entries.
void requireAtMost(const CheckedJson& node, std::size_t most);

// An object that maps tokens to ids.
TokenTexts readTokenTexts(const CheckedJson& node);
// A string, or an object with flags. `special`: default for that flag.
AddedToken readAddedToken(const CheckedJson& node, bool special);

// `byteLevel`: pieces are bytes and the vocabulary uses the byte-level alphabet.
std::shared_ptr<const PieceModel> readModel(const CheckedJson& model, bool byteLevel);

// ---- The normalisers of a tokenizer.json.

// InputError names an unknown normaliser and lists the known ones.
Normalizers readNormalizers(const CheckedJson& root);

// ---- Pre-tokenizer and post-processor of a tokenizer.json.

struct PreTokenizer {
  std::vector<SplitStep> steps;
  bool byteLevel = false;  // the last step is ByteLevel: pieces are bytes
};

// The rule with this spelling, else the pattern itself.
CutStep::Pattern readPattern(const CheckedJson& node);

PreTokenizer readPreTokenizer(const CheckedJson& root);
// InputError when offsets are trimmed although pieces are not bytes.
std::vector<PostStep> readPostProcessor(const CheckedJson& root, bool byteLevel);

// ---- Steps of a tokenizer.json: each has a `type`; `Sequence` holds several.

// The node itself, or for a `Sequence` the members of its list `listKey`.
inline std::vector<CheckedJson> flattened(const CheckedJson& node, const std::string& listKey) {
  if (node.text("type") != "Sequence") return {node};
  std::vector<CheckedJson> result;
  for (const CheckedJson& item : node.child(listKey).items()) {
    for (const CheckedJson& inner : flattened(item, listKey)) result.push_back(inner);
  }
  return result;
}

// The entry of `kinds` whose `name` is the type of the node; InputError lists the known ones.
template <typename Kinds>
const auto& kindOf(const CheckedJson& node, const Kinds& kinds) {
  const std::string type = node.text("type");
  for (const auto& kind : kinds) {
    if (kind.name == type) return kind;
  }
  node.refuseUnknown(type, kinds);
}

}  // namespace plastiscope
