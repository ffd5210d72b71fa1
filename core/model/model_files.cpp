// Size and age of a model's files.
#include <sys/stat.h>

#include <algorithm>
#include <ctime>
#include <set>
#include <utility>

#include "core/model/model_places.h"

namespace plastiscope {
namespace fs = std::filesystem;

namespace {

std::string dayOf(std::time_t time) {
  std::tm utc{};
  char text[16];
  if (gmtime_r(&time, &utc) == nullptr || std::strftime(text, sizeof text, "%Y-%m-%d", &utc) == 0) return "";
  return text;
}

}  // namespace

void measure(const std::vector<fs::path>& files, FoundModel& model) {
  std::set<std::pair<dev_t, ino_t>> seen;
  std::time_t newest = 0;
  model.bytes = 0;
  for (const fs::path& file : files) {
    struct stat status {};
    if (::stat(file.c_str(), &status) != 0 || !seen.emplace(status.st_dev, status.st_ino).second) continue;
    model.bytes += static_cast<std::uint64_t>(status.st_size);
    newest = std::max(newest, status.st_mtime);
  }
  model.date = seen.empty() ? "" : dayOf(newest);
}

std::optional<std::uint64_t> incompleteBytes(const fs::path& folder) {
  std::optional<std::uint64_t> bytes;
  std::error_code code;
  for (fs::recursive_directory_iterator entry(folder, code), end; !code && entry != end;
       entry.increment(code)) {
    std::error_code typeCode;
    if (entry->path().extension() != ".incomplete" || !entry->is_regular_file(typeCode)) continue;
    bytes = bytes.value_or(0) + entry->file_size(typeCode);
  }
  return bytes;
}

}  // namespace plastiscope
