#pragma once
// What the records of a large corpus file (.json, .jsonl) say about themselves, without their texts: the file
// is read once, block by block, and a record is fetched by its place afterwards.
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/base/json_value.h"
#include "core/base/progress.h"

namespace plastiscope {

struct CorpusEntry {
  std::uint64_t offset = 0, size = 0;  // bytes of the file
  std::int64_t line = 0;
  // Short values of the record as text: id, language, token_length, primary_task, difficulty and the like.
  // Numbers are written as JSON does; texts of more than kLongestField bytes, lists and objects are left out.
  std::map<std::string, std::string> fields;
};

class CorpusIndex {
 public:
  static constexpr std::size_t kLongestField = 200;

  // Reports the bytes read. InputError names the line of a record that is no object.
  CorpusIndex(std::filesystem::path file, Progress& progress);

  const std::filesystem::path& file() const { return m_file; }
  const std::vector<CorpusEntry>& entries() const { return m_entries; }
  std::string bytesOf(const CorpusEntry& entry) const;  // InputError when the file has become shorter

 private:
  std::filesystem::path m_file;
  std::vector<CorpusEntry> m_entries;
};

// Whether the fields have one of the wanted values for each of the keys.
bool isSelected(const std::map<std::string, std::string>& fields,
                const std::vector<std::pair<std::string, std::string>>& select);
// The fields of a record that has been read as a whole.
std::map<std::string, std::string> shortFields(const Json& record);

}  // namespace plastiscope
