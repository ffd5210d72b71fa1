#pragma once
// How models lie in each program's folders. One line per program in model_places.cpp.
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/base/hub_cache.h"
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

// The layouts (model_places.cpp, model_folders.cpp).
std::vector<FoundModel> locateInHubCache(const ModelPlace& place);
std::vector<FoundModel> locateInOllama(const ModelPlace& place);
std::vector<FoundModel> locateInFolders(const ModelPlace& place);

// One folder and what its models are called.
struct ModelFolder {
  std::filesystem::path folder;
  std::string name, source, ref;
  std::optional<std::uint64_t> unfinishedBytes;  // of files that are not downloaded to their end, if any
};
// Models that lie directly in the folder: itself, if it has a configuration (of a model or of an adapter) and
// weights, and each GGUF model in it.
std::vector<FoundModel> modelsIn(const ModelFolder& where);

// Sum of the files in `folder` whose names end in ".incomplete"; nothing when there are none.
std::optional<std::uint64_t> incompleteBytes(const std::filesystem::path& folder);

// Fills in size and date from the files; two names of one file count once.
void measure(const std::vector<std::filesystem::path>& files, FoundModel& model);

}  // namespace plastiscope
