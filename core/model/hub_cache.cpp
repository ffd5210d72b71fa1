// The models of a Hugging Face cache (core/base/hub_cache.h).
#include "core/base/hub_cache.h"

#include "core/base/path_text.h"
#include "core/model/model_places.h"

namespace plastiscope {
namespace fs = std::filesystem;

namespace {

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
    below.name += "/" + pathText(folder.filename());
    add(below);
  }
}

FoundModel unfinishedEntry(const fs::path& entry, const ModelPlace& place, std::uint64_t bytes) {
  FoundModel model;
  model.name = nameOfHubEntry(entry);
  model.path = entry;
  model.source = place.source;
  model.bytes = bytes;
  model.unfinished = true;
  return model;
}

}  // namespace

std::vector<FoundModel> locateInHubCache(const ModelPlace& place) {
  std::vector<FoundModel> models;
  for (const fs::path& entry : hubEntries(place.folder, "models")) {
    const auto unfinished = incompleteBytes(entry / "blobs");
    std::vector<FoundModel> ofEntry;
    auto refs = hubRefsOf(entry);
    for (const fs::path& snapshot : foldersIn(entry / "snapshots")) {
      const std::string hash = snapshot.filename().string();
      if (refs[hash].empty()) refs[hash] = {hash.substr(0, 8)};
      for (const std::string& ref : refs[hash]) {
        const std::string name = nameOfHubEntry(entry) + (ref == "main" ? "" : "@" + ref);
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
