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

constexpr std::size_t kMostTokens = 2'000'000, kMostMerges = 4'000'000;

// InputError when the list or object has more entries.
void requireAtMost(const CheckedJson& node, std::size_t most);

// An object of tokens and ids.
TokenTexts readTokenTexts(const CheckedJson& node);
// A text, or an object with flags. `special`: where it does not say.
AddedToken readAddedToken(const CheckedJson& node, bool special);

// `byteLevel`: pieces are bytes, and the vocabulary is written in the byte-level alphabet.
std::shared_ptr<const PieceModel> readModel(const CheckedJson& model, bool byteLevel);

// ---- The normalisers of a tokenizer.json.

// InputError names an unknown one with the known ones.
Normalizers readNormalizers(const CheckedJson& root);

// ---- The steps of a tokenizer.json behind its normalisers and its vocabulary.

struct PreTokenizer {
  std::vector<SplitStep> steps;
  bool byteLevel = false;  // the pieces are bytes: the last step is ByteLevel
};

// The rule of that spelling, else the pattern itself.
CutStep::Pattern readPattern(const CheckedJson& node);

PreTokenizer readPreTokenizer(const CheckedJson& root);
// InputError where offsets are to be trimmed and the pieces are not bytes.
std::vector<PostStep> readPostProcessor(const CheckedJson& root, bool byteLevel);

// ---- What the steps of a tokenizer.json have in common: a `type`, and `Sequence` for several of them.

// The node itself, or the members of a `Sequence`, whose list has the name `listKey`.
inline std::vector<CheckedJson> flattened(const CheckedJson& node, const std::string& listKey) {
  if (node.text("type") != "Sequence") return {node};
  std::vector<CheckedJson> result;
  for (const CheckedJson& item : node.child(listKey).items()) {
    for (const CheckedJson& inner : flattened(item, listKey)) result.push_back(inner);
  }
  return result;
}

// The entry of `kinds` whose `name` is the node's type; InputError names the known ones.
template <typename Kinds>
const auto& kindOf(const CheckedJson& node, const Kinds& kinds) {
  const std::string type = node.text("type");
  for (const auto& kind : kinds) {
    if (kind.name == type) return kind;
  }
  node.refuseUnknown(type, kinds);
}

}  // namespace plastiscope
