#include "core/text/vocabulary_ids.h"

#include <algorithm>

#include "core/base/error.h"

namespace plastiscope {

namespace {

constexpr std::int32_t kMostIds = 4'000'000;

std::string quoted(const std::string& text) {
  return "\"" + text + "\"";
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
  return static_cast<std::size_t>(last + 1);
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
      throw InputError({m_file, "merge " + withCommas(rank + 1) + " (" + left + " " + right + ")",
                        "tokens of the vocabulary", quoted(text) + ", which is not in it"});
    };
    const std::int32_t leftId = idOf(left), rightId = idOf(right);
    table.set(leftId, rightId, {rank, idOf(left + right)});
    ++rank;
  }
  return table;
}

}  // namespace plastiscope
