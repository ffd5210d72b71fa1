#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/base/path_text.h"
#include "core/store/qk_sniffer/import_info.h"

namespace plastiscope {

namespace {

constexpr std::int64_t kMaxCount = 100000;

// A count from the first source that states it. The data set comes before the option: a given value that
// differs is ignored with a warning.
struct Count {
  std::int64_t value = 0;
  bool guessed = false;  // largest index + 1
};

// Sources of a count.
struct CountSources {
  const char* option;
  std::int64_t ofModel;
  const char* fact;                 // name in plastiscope.json
  std::vector<std::string> stated;  // names in qk-sniffer's metadata
  std::int64_t given;               // value of the option; 0: not given
  std::int64_t largestIndex;        // in the folder names
};

Count count(const ImportSources& from, const CountSources& at) {
  std::optional<std::int64_t> known = from.spec ? std::optional(at.ofModel) : std::nullopt;
  if (!known) known = from.facts.model.findInteger(at.fact, 1, kMaxCount);
  if (!known) known = from.state.integer(at.stated, 1, kMaxCount);
  if (known && at.given > 0 && at.given != *known) {
    from.progress.warned(std::string(at.option) + " " + std::to_string(at.given) +
                         " is not used: the data set or its model has " + std::to_string(*known));
  }
  if (known) return {*known, false};
  return at.given > 0 ? Count{at.given, false} : Count{at.largestIndex + 1, true};
}

std::int64_t largestIndex(const ImportSources& from, RowSet set) {
  std::int64_t largest = -1;
  for (const auto& [key, heads] : from.index.heads) {
    if (key.second == set) largest = std::max(largest, heads.back());
  }
  return largest;
}

std::string askForHeads(bool guessed) {
  return guessed ? "; the data set does not state its numbers of heads: give --query-heads and --key-heads"
                 : "";
}

void requireKeyHead(const CaptureInfo& info, const ImportSources& from, std::int64_t layer, std::int64_t head,
                    bool guessed) {
  const std::int64_t key = head / (info.queryHeads / info.keyHeads);
  const auto found = from.index.heads.find({layer, RowSet::Key});
  if (found != from.index.heads.end() && std::binary_search(found->second.begin(), found->second.end(), key))
    return;
  throw InputError({from.folder.path / qkFolderName({layer, head, RowSet::Query}), "",
                    "its key head in the folder " + qkFolderName({layer, key, RowSet::Key}),
                    "no such folder" + askForHeads(guessed)});
}

// Requires every index below its count, and a key head for each query head.
void requireHeads(const CaptureInfo& info, const ImportSources& from, bool guessed) {
  for (const auto& [key, heads] : from.index.heads) {
    const bool query = key.second == RowSet::Query;
    const std::int64_t most = query ? info.queryHeads : info.keyHeads;
    if (key.first < info.layers && heads.back() < most) continue;
    throw InputError({from.folder.path / qkFolderName({key.first, heads.back(), key.second}), "",
                      std::to_string(info.layers) + " layers of " + std::to_string(most) +
                          (query ? " query" : " key") + " heads",
                      "layer " + std::to_string(key.first) + ", head " + std::to_string(heads.back())});
  }
  if (from.index.layers().empty())
    throw InputError({from.folder.path, "", "folders of queries such as l03h07q", "none"});
  if (info.queryHeads % info.keyHeads != 0) {
    throw InputError(
        {from.folder.path, "",
         "a multiple of the " + std::to_string(info.keyHeads) + " key heads as number of query heads",
         std::to_string(info.queryHeads) + askForHeads(guessed)});
  }
  for (const std::int64_t layer : from.index.layers()) {
    for (const std::int64_t head : from.index.heads.at({layer, RowSet::Query}))
      requireKeyHead(info, from, layer, head, guessed);
  }
}

}  // namespace

void fillModel(CaptureInfo& info, const ImportSources& from) {
  const ModelSpec none, &spec = from.spec ? *from.spec : none;
  info.modelName = !from.state.model.empty() ? from.state.model
                   : from.spec
                       ? spec.name
                       : pathText(std::filesystem::absolute(from.folder.path).lexically_normal().filename());
  info.architecture =
      from.spec ? spec.architecture : from.facts.model.findText("architecture").value_or(kUnknownFact);
  info.modelSource = from.spec
                         ? pathText(std::filesystem::absolute(from.modelPath).lexically_normal().filename())
                         : from.facts.model.findText("source").value_or("");
  info.fingerprint = from.facts.model.findText("fingerprint").value_or("");
  info.contextLength = from.spec ? spec.contextLength
                                 : from.facts.model.integerOr("context_length", 0, 0, std::int64_t{1} << 40);
  info.config = from.spec ? *spec.config : from.facts.model.object("config").json();
  info.withoutVectors = from.facts.model.object("without_vectors").json();
  info.headDim = from.index.headDim;
  if (from.spec && spec.headDim != info.headDim) {
    throw InputError({from.folder.path, "column vector",
                      std::to_string(spec.headDim) + " values in a row as " + from.request.model + " has",
                      std::to_string(info.headDim)});
  }
  const Count layers = count(from, {"--layers",
                                    spec.layerCount,
                                    "layers",
                                    {"num_layers", "num_hidden_layers"},
                                    from.request.layers,
                                    from.index.heads.rbegin()->first.first});
  const Count query = count(from, {"--query-heads",
                                   spec.queryHeads,
                                   "query_heads",
                                   {"num_attention_heads", "num_query_heads", "num_heads"},
                                   from.request.queryHeads,
                                   largestIndex(from, RowSet::Query)});
  const Count key = count(from, {"--key-heads",
                                 spec.keyHeads,
                                 "key_heads",
                                 {"num_key_value_heads", "num_key_heads", "num_kv_heads"},
                                 from.request.keyHeads,
                                 largestIndex(from, RowSet::Key)});
  info.layers = layers.value;
  info.queryHeads = query.value;
  info.keyHeads = key.value;
  requireHeads(info, from, query.guessed || key.guessed);
  const double usual = 1.0 / std::sqrt(info.headDim);
  info.scoreScale =
      from.spec ? spec.scoreScale : from.facts.capture.findNumber("score_scale").value_or(usual);
}

}  // namespace plastiscope
