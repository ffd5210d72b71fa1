#include "core/text/tokenizer_files.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/text/bpe.h"
#include "core/text/byte_spellings.h"
#include "core/text/hf_parts.h"
#include "core/text/pipeline_tokenizer.h"

namespace plastiscope {

namespace {

constexpr std::size_t kMaxTekkenBytes = std::size_t{1} << 29;
constexpr std::size_t kLongestToken = 8000;
constexpr std::int32_t kMaxSpecial = 100'000;  // bounds a table with one row per token

std::vector<std::string> readRanked(const CheckedJson& root, std::size_t count) {
  const CheckedJson list = root.child("vocab");
  requireAtMost(list, kMaxTokens);
  if (list.json().size() < count) {
    list.refuse("at least " + withCommas(static_cast<long long>(count)) + " tokens",
                withCommas(static_cast<long long>(list.json().size())));
  }
  std::vector<std::string> ranked;
  for (std::size_t i = 0; i < count; ++i) {
    const CheckedJson token = list.inside(list.json().at(i), "vocab[" + std::to_string(i) + "]");
    const std::int32_t rank = tokenId(token.child("rank"));
    if (static_cast<std::size_t>(rank) != i) token.refuse("rank " + std::to_string(i), std::to_string(rank));
    const auto bytes = bytesOfBase64(token.text("token_bytes"));
    if (!bytes || bytes->empty()) token.refuse("token_bytes in base64");
    const bool isByte = i >= 256 || (bytes->size() == 1 && static_cast<unsigned char>((*bytes)[0]) == i);
    if (!isByte) token.refuse("the single bytes first");
    if (bytes->size() > kLongestToken)
      token.refuse("at most " + withCommas(kLongestToken) + " bytes",
                   withCommas(static_cast<long long>(bytes->size())));
    ranked.push_back(*bytes);
  }
  return ranked;
}

using Names = std::vector<std::pair<std::int32_t, std::string>>;

// Files of the first version have no list; their special tokens are fixed.
Names readSpecialTokens(const CheckedJson& root) {
  if (!root.has("special_tokens")) return {{0, "<unk>"}, {1, "<s>"}, {2, "</s>"}};
  const CheckedJson list = root.child("special_tokens");
  requireAtMost(list, kMaxTokens);
  Names names;
  for (const CheckedJson& token : list.items())
    names.emplace_back(tokenId(token.child("rank")), token.text("token_str"));
  return names;
}

std::int32_t bosOf(const CheckedJson& root, const Names& names) {
  const auto bos = std::ranges::find(names, "<s>", &Names::value_type::second);
  if (bos == names.end()) root.refuse("the special token <s>", "none");
  return bos->first;
}

}  // namespace

std::shared_ptr<const Tokenizer> openTekken(const std::filesystem::path& file) {
  const CheckedJson root(readJsonFile(file, kMaxTekkenBytes), file);
  const CheckedJson config = root.child("config");
  const std::int32_t special = tokenId(config.child("default_num_special_tokens"));
  const std::int32_t size = tokenId(config.child("default_vocab_size"));
  if (special > kMaxSpecial)
    config.refuse("at most " + withCommas(kMaxSpecial) + " special tokens", withCommas(special));
  if (size - special < 256) config.refuse("a vocabulary with all bytes", std::to_string(size - special));
  TokenizerParts parts;
  parts.file = file;
  parts.splits.emplace_back(CutStep{readPattern(config.child("pattern")), SplitBehavior::Isolated, false});
  parts.model =
      std::make_shared<BytePair>(readRanked(root, static_cast<std::size_t>(size - special)), special);
  parts.names = readSpecialTokens(root);
  parts.postSteps.emplace_back(AddTemplate{{bosOf(root, parts.names)}, {}});
  parts.vocabularySize = size;
  return makePipelineTokenizer(std::move(parts));
}

}  // namespace plastiscope
