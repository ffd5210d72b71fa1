// The Hugging Face cache: models--ORG--NAME/{refs,blobs,snapshots/HASH}.
#include <algorithm>
#include <map>

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/model/model_places.h"

namespace plastiscope {
namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMaxRef = 4096;

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

// Hash of a snapshot -> the branches or tags that mean it.
std::map<std::string, std::vector<std::string>> refsOf(const fs::path& cacheEntry) {
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
      refs[hash].push_back(fs::relative(entry->path(), folder, typeCode).string());
    } catch (const InputError&) {
      continue;  // an unreadable ref names no snapshot
    }
  }
  return refs;
}

// "models--ORG--NAME" -> "ORG/NAME".
std::string nameOfEntry(const fs::path& cacheEntry) {
  std::string name = cacheEntry.filename().string().substr(8);
  const auto dashes = name.find("--");
  return dashes == std::string::npos ? name : name.replace(dashes, 2, "/");
}

// The models of a snapshot and of the folders in it (a repository of GGUF files has one a quantisation).
void addSnapshot(const ModelFolder& snapshot, std::vector<FoundModel>& models) {
  const auto add = [&](const ModelFolder& where) {
    const auto found = modelsIn(where);
    models.insert(models.end(), found.begin(), found.end());
  };
  add(snapshot);
  for (const fs::path& folder : foldersIn(snapshot.folder)) {
    ModelFolder below = snapshot;
    below.folder = folder;
    below.name += "/" + folder.filename().string();
    add(below);
  }
}

FoundModel unfinishedEntry(const fs::path& entry, const ModelPlace& place, std::uint64_t bytes) {
  FoundModel model;
  model.name = nameOfEntry(entry);
  model.path = entry;
  model.source = place.source;
  model.bytes = bytes;
  model.unfinished = true;
  return model;
}

}  // namespace

fs::path mainSnapshotOf(const fs::path& cacheEntry) {
  const std::vector<fs::path> snapshots = foldersIn(cacheEntry / "snapshots");
  for (const auto& [hash, names] : refsOf(cacheEntry)) {
    if (std::find(names.begin(), names.end(), "main") == names.end()) continue;
    for (const fs::path& snapshot : snapshots) {
      if (snapshot.filename() == hash) return snapshot;
    }
  }
  return snapshots.size() == 1 ? snapshots.front() : fs::path();
}

std::vector<FoundModel> locateInHubCache(const ModelPlace& place) {
  std::vector<FoundModel> models;
  for (const fs::path& entry : foldersIn(place.folder)) {
    if (!entry.filename().string().starts_with("models--")) continue;
    const auto unfinished = incompleteBytes(entry / "blobs");
    std::vector<FoundModel> ofEntry;
    auto refs = refsOf(entry);
    for (const fs::path& snapshot : foldersIn(entry / "snapshots")) {
      const std::string hash = snapshot.filename().string();
      if (refs[hash].empty()) refs[hash] = {hash.substr(0, 8)};
      for (const std::string& ref : refs[hash]) {
        const std::string name = nameOfEntry(entry) + (ref == "main" ? "" : "@" + ref);
        addSnapshot({snapshot, name, place.source, ref, unfinished}, ofEntry);
      }
    }
    // Nothing is linked into a snapshot before its first file is complete.
    if (ofEntry.empty() && unfinished) ofEntry.push_back(unfinishedEntry(entry, place, *unfinished));
    models.insert(models.end(), ofEntry.begin(), ofEntry.end());
  }
  return models;
}

}  // namespace plastiscope
