#pragma once
// How models lie in each program's folders. One line per program in model_places.cpp.
#include <filesystem>
#include <string>
#include <vector>

#include "core/model/discovery.h"

namespace plastiscope {

// Where one program keeps models.
struct ModelPlace {
  std::string source;
  std::filesystem::path folder;
  std::vector<FoundModel> (*locate)(const ModelPlace&);
};

// The usual places of this user, existing or not.
std::vector<ModelPlace> usualModelPlaces();
// A folder of any layout: a Hugging Face cache when it holds models--* entries, else walked.
ModelPlace placeOfFolder(const std::filesystem::path& folder);

// The layouts (hub_cache.cpp, ollama.cpp, model_folders.cpp).
std::vector<FoundModel> locateInHubCache(const ModelPlace& place);
std::vector<FoundModel> locateInOllama(const ModelPlace& place);
std::vector<FoundModel> locateInFolders(const ModelPlace& place);

// The snapshot that a cache entry's refs/main (else its only snapshot) means; empty when there is none.
std::filesystem::path mainSnapshotOf(const std::filesystem::path& cacheEntry);
// Models that lie directly in one folder: the folder itself, if it has a configuration, and each GGUF model
// in it.
std::vector<FoundModel> modelsIn(const std::filesystem::path& folder, const std::string& name,
                                 const std::string& source);

}  // namespace plastiscope
