#include "core/text/vocabulary_ids.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/base/foreign_text.h"

namespace plastiscope {

namespace {

constexpr std::int32_t kMostIds = 4'000'000;
// A table has a row for every id up to the largest: no more than the file is large.
constexpr std::size_t kIdsOfOneToken = 16, kIdsAlways = 100'000;

std::string quoted(const std::string& text) {
  return "\"" + sanitized(text) + "\"";
}

std::size_t spaceForIds(const TokenTexts& tokens, const std::filesystem::path& file) {
  std::int32_t last = -1;
  for (const auto& [text, id] : tokens) {
    if (id < 0 || id >= kMostIds) {
      throw InputError({file, "vocabulary entry " + quoted(text),
                        "an id from 0 to " + withCommas(kMostIds - 1), std::to_string(id)});
    }
    last = std::max(last, id);
  }
  const auto space = static_cast<std::size_t>(last + 1), most = kIdsOfOneToken * tokens.size() + kIdsAlways;
  if (space > most) {
    throw InputError({file, "vocabulary of " + withCommas(static_cast<long long>(tokens.size())) + " tokens",
                      "ids below " + withCommas(static_cast<long long>(most)), withCommas(last)});
  }
  return space;
}

}  // namespace

VocabularyIds::VocabularyIds(const TokenTexts& tokens, const std::filesystem::path& file)
    : m_file(file), m_space(spaceForIds(tokens, file)) {
  std::vector<bool> used(m_space);
  m_idOfText.reserve(tokens.size());
  for (const auto& [text, id] : tokens) {
    const auto index = static_cast<std::size_t>(id);
    if (used[index]) {
      throw InputError({file, "vocabulary entry " + quoted(text), "an id of its own",
                        std::to_string(id) + ", which another entry has"});
    }
    used[index] = true;
    m_idOfText.emplace(text, id);
  }
}

PairTable VocabularyIds::merges(const MergeTexts& merges) const {
  PairTable table(merges.size());
  std::uint32_t rank = 0;
  for (const auto& [left, right] : merges) {
    const auto idOf = [&](const std::string& text) {
      const auto found = m_idOfText.find(text);
      if (found != m_idOfText.end()) return found->second;
      throw InputError(
          {m_file, "merge " + withCommas(rank + 1) + " (" + sanitized(left) + " " + sanitized(right) + ")",
           "tokens of the vocabulary", quoted(text) + ", which is not in it"});
    };
    const std::int32_t leftId = idOf(left), rightId = idOf(right);
    table.set(leftId, rightId, {rank, idOf(left + right)});
    ++rank;
  }
  return table;
}

}  // namespace plastiscope
