#pragma once
// Folder layouts of programs that store models; one line per program in model_places.cpp.
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/base/hub_cache.h"
#include "core/model/discovery.h"

namespace plastiscope {

// A folder in which a program stores models.
struct ModelPlace {
  std::string source;
  std::filesystem::path folder;
  std::vector<FoundModel> (*locate)(const ModelPlace&);
};

// The default places of this user, existing or not.
std::vector<ModelPlace> usualModelPlaces();
// Hugging Face cache if the folder has models--* entries, else searched for models.
ModelPlace placeOfFolder(const std::filesystem::path& folder);

// The layouts (model_places.cpp, model_folders.cpp).
std::vector<FoundModel> locateInHubCache(const ModelPlace& place);
std::vector<FoundModel> locateInOllama(const ModelPlace& place);
std::vector<FoundModel> locateInFolders(const ModelPlace& place);

// A folder, and the name of the models in it.
struct ModelFolder {
  std::filesystem::path folder;
  std::string name, source, ref;
  std::optional<std::uint64_t> unfinishedBytes;  // size of partially downloaded files, if any
};
// Models directly in the folder: the folder itself if it has a configuration (of a model or adapter) and
// weights, and each GGUF model in it.
std::vector<FoundModel> modelsIn(const ModelFolder& where);

// Total size of the files in `folder` that end in ".incomplete"; nothing when there are none.
std::optional<std::uint64_t> incompleteBytes(const std::filesystem::path& folder);

// Sets size and date from the files; a file with two names counts once.
void measure(const std::vector<std::filesystem::path>& files, FoundModel& model);

}  // namespace plastiscope
