#include "core/base/hub_cache.h"

#include <algorithm>
#include <cstdlib>

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/path_text.h"

namespace plastiscope {
namespace fs = std::filesystem;

namespace {
constexpr std::size_t kMaxRef = 4096;
constexpr const char* kBetween = "--";
}  // namespace

fs::path folderFrom(const char* variable) {
  const char* value = std::getenv(variable);
  const std::string text = value == nullptr ? "" : value;
  const char* home = std::getenv("HOME");
  const bool inHome = home != nullptr && (text == "~" || text.starts_with("~/"));
  return inHome ? fs::path(home + text.substr(1)) : fs::path(text);
}

fs::path below(const fs::path& folder, const char* name) {
  return folder.empty() ? fs::path() : folder / name;
}

fs::path firstOf(std::initializer_list<fs::path> folders) {
  for (const fs::path& folder : folders) {
    if (!folder.empty()) return folder;
  }
  return {};
}

fs::path userCacheFolder() {
  return firstOf({folderFrom("XDG_CACHE_HOME"), below(folderFrom("HOME"), ".cache")});
}

fs::path hubCacheFolder() {
  return firstOf({folderFrom("HF_HUB_CACHE"), folderFrom("HUGGINGFACE_HUB_CACHE"),
                  below(folderFrom("HF_HOME"), "hub"), below(userCacheFolder(), "huggingface/hub")});
}

std::vector<fs::path> foldersIn(const fs::path& folder) {
  std::vector<fs::path> folders;
  std::error_code code;
  for (fs::directory_iterator entry(folder, code), end; !code && entry != end; entry.increment(code)) {
    std::error_code typeCode;
    if (entry->is_directory(typeCode)) folders.push_back(entry->path());
  }
  std::sort(folders.begin(), folders.end());
  return folders;
}

std::vector<fs::path> hubEntries(const fs::path& cache, const std::string& kind) {
  std::vector<fs::path> entries = foldersIn(cache);
  std::erase_if(entries, [&](const fs::path& entry) {
    return !entry.filename().string().starts_with(kind + kBetween);
  });
  return entries;
}

std::string nameOfHubEntry(const fs::path& entry) {
  std::string name = pathText(entry.filename());
  name.erase(0, name.find(kBetween) + 2);
  const auto dashes = name.find(kBetween);
  return dashes == std::string::npos ? name : name.replace(dashes, 2, "/");
}

std::map<std::string, std::vector<std::string>> hubRefsOf(const fs::path& cacheEntry) {
  std::map<std::string, std::vector<std::string>> refs;
  const fs::path folder = cacheEntry / "refs";
  std::error_code code;
  for (fs::recursive_directory_iterator entry(folder, code), end; !code && entry != end;
       entry.increment(code)) {
    std::error_code typeCode;
    if (!entry->is_regular_file(typeCode)) continue;
    try {
      std::string hash = readFile(entry->path(), kMaxRef);
      hash.erase(std::find_if(hash.begin(), hash.end(), [](char c) { return c == '\n' || c == '\r'; }),
                 hash.end());
      refs[hash].push_back(pathText(fs::relative(entry->path(), folder, typeCode)));
    } catch (const InputError&) {
      continue;  // an unreadable ref names no snapshot
    }
  }
  return refs;
}

fs::path mainSnapshotOf(const fs::path& cacheEntry) {
  const std::vector<fs::path> snapshots = foldersIn(cacheEntry / "snapshots");
  for (const auto& [hash, names] : hubRefsOf(cacheEntry)) {
    if (std::find(names.begin(), names.end(), "main") == names.end()) continue;
    for (const fs::path& snapshot : snapshots) {
      if (snapshot.filename() == hash) return snapshot;
    }
  }
  return snapshots.size() == 1 ? snapshots.front() : fs::path();
}

}  // namespace plastiscope
