#include "core/text/record_files.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>

#include "core/base/error.h"
#include "core/base/hub_cache.h"
#include "core/text/corpus_file.h"

namespace plastiscope {
namespace fs = std::filesystem;

namespace {

constexpr int kDeepestFolder = 3;
constexpr const char* kBenchmark = "longbench";
// Metadata files of the `datasets` library.
constexpr std::array kNoRecords = {"dataset_infos.json", "dataset_info.json", "dataset_dict.json",
                                   "state.json"};

bool holdsRecords(const fs::path& file) {
  const std::string name = file.filename().string();
  if (name.starts_with('.') || std::ranges::find(kNoRecords, name) != kNoRecords.end()) return false;
  try {
    return corpusFormatOf(file).name != "plain text";
  } catch (const InputError&) {
    return false;
  }
}

std::vector<fs::path> recordFilesIn(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code code;
  fs::recursive_directory_iterator entry(folder, fs::directory_options::skip_permission_denied, code), end;
  for (; !code && entry != end; entry.increment(code)) {
    std::error_code ignored;
    if (entry.depth() >= kDeepestFolder) entry.disable_recursion_pending();
    if (entry->is_regular_file(ignored) && holdsRecords(entry->path())) files.push_back(entry->path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

bool isBenchmark(const FoundRecords& records) {
  std::string name = records.name;
  std::ranges::transform(name, name.begin(), [](unsigned char letter) { return std::tolower(letter); });
  return name.find(kBenchmark) != std::string::npos;
}

}  // namespace

std::vector<fs::path> recordFilesOf(const fs::path& place) {
  std::error_code ignored;
  if (!fs::is_directory(place, ignored)) return {place};
  std::vector<fs::path> files = recordFilesIn(place);
  if (files.empty()) throw InputError({place, "", "a .json, .jsonl or .parquet file of records", "none"});
  return files;
}

std::vector<FoundRecords> findRecords() {
  const fs::path home = folderFrom("HF_HOME");
  std::set<fs::path> visited;
  std::vector<FoundRecords> found;
  for (const fs::path& cache : {hubCacheFolder(), folderFrom("HF_DATASETS_CACHE"), home,
                                below(home, "datasets"), below(userCacheFolder(), "huggingface/datasets")}) {
    std::error_code code;
    const fs::path real = fs::canonical(cache, code);
    if (code || !visited.insert(real).second) continue;
    for (const fs::path& entry : hubEntries(cache, "datasets")) {
      const fs::path snapshot = mainSnapshotOf(entry);
      const auto files = snapshot.empty() ? std::vector<fs::path>() : recordFilesIn(snapshot);
      if (!files.empty())
        found.push_back({nameOfHubEntry(entry), files.size() == 1 ? files.front() : snapshot, files.size()});
    }
  }
  std::ranges::stable_sort(found, [](const FoundRecords& a, const FoundRecords& b) {
    return std::pair(!isBenchmark(a), a.name) < std::pair(!isBenchmark(b), b.name);
  });
  return found;
}

}  // namespace plastiscope
