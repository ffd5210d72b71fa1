#include "core/text/corpus_index.h"

#include <algorithm>

#include "core/base/json.h"
#include "core/text/corpus_file.h"
#include "core/text/record_scan.h"

namespace plastiscope {

std::vector<ShortFields> readShortFields(const std::filesystem::path& file, Progress& progress) {
  const auto scanner = recordScannerOf(file);
  std::error_code unknown;
  const auto fileBytes = std::filesystem::file_size(file, unknown);
  ProgressState state{"read", 0, unknown ? 0 : static_cast<double>(fileBytes), "byte", -1, -1};
  std::vector<ShortFields> all;
  while (const auto raw = scanner->next()) {
    progress.throwIfStopped();
    state.done = static_cast<double>(raw->offset);
    progress.advanced(state);
    all.push_back(shortFields(parseRecord(raw->bytes, file, raw->line, progress)));
  }
  return all;
}

bool isSelected(const ShortFields& fields, const std::vector<std::pair<std::string, std::string>>& select) {
  return std::ranges::all_of(select, [&](const auto& wanted) {
    const auto value = fields.find(wanted.first);
    return value != fields.end() && std::ranges::any_of(select, [&](const auto& choice) {
             return choice.first == wanted.first && choice.second == value->second;
           });
  });
}

ShortFields shortFields(const Json& record) {
  ShortFields fields;
  for (const auto& [key, value] : record.items()) {
    if (value.is_null() || value.is_structured()) continue;
    std::string text = value.is_string() ? value.get<std::string>() : canonicalJson(value);
    if (text.size() <= kLongestShortField) fields.emplace(key, std::move(text));
  }
  return fields;
}

}  // namespace plastiscope
