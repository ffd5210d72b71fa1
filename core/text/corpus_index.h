#pragma once
// Index of a large corpus file (.json, .jsonl): short fields and place of every record. The file is read
// once, block by block; single records are read by their place afterwards.
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/base/json_value.h"
#include "core/base/progress.h"

namespace plastiscope {

struct CorpusEntry {
  std::uint64_t offset = 0, size = 0;  // in the file, in bytes
  std::int64_t line = 0;
  // Short values as text: id, language, token_length, primary_task, difficulty and the like. Numbers are
  // written as in JSON; texts of more than kLongestField bytes, lists and objects are left out.
  std::map<std::string, std::string> fields;
};

class CorpusIndex {
 public:
  static constexpr std::size_t kLongestField = 200;

  // Reports bytes read. InputError names the line of a record that is not an object.
  CorpusIndex(std::filesystem::path file, Progress& progress);

  const std::filesystem::path& file() const { return m_file; }
  const std::vector<CorpusEntry>& entries() const { return m_entries; }
  std::string bytesOf(const CorpusEntry& entry) const;  // InputError if the file was truncated

 private:
  std::filesystem::path m_file;
  std::vector<CorpusEntry> m_entries;
};

// Whether for each key of `select` the field has one of the wanted values.
bool isSelected(const std::map<std::string, std::string>& fields,
                const std::vector<std::pair<std::string, std::string>>& select);
// The fields of a parsed record.
std::map<std::string, std::string> shortFields(const Json& record);

}  // namespace plastiscope
