#pragma once
// Checks that every vocabulary with explicit ids and merges needs.
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/text/pair_table.h"

namespace plastiscope {

using TokenTexts = std::vector<std::pair<std::string, std::int32_t>>;
using MergeTexts = std::vector<std::pair<std::string, std::string>>;

class VocabularyIds {
 public:
  // `tokens` and `file` must outlive this object. InputError: an id out of range or used twice.
  VocabularyIds(const TokenTexts& tokens, const std::filesystem::path& file);
  std::size_t space() const { return m_space; }  // one more than the largest id
  // Later merges of a pair replace earlier ones. InputError: parts or a result that are not in the
  // vocabulary.
  PairTable merges(const MergeTexts& merges) const;
  const std::unordered_map<std::string_view, std::int32_t>& idOfText() const { return m_idOfText; }

 private:
  const std::filesystem::path& m_file;
  std::size_t m_space = 0;
  std::unordered_map<std::string_view, std::int32_t> m_idOfText;
};

}  // namespace plastiscope
