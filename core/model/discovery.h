#pragma once
// Finds models that other programs downloaded to this computer.
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/base/hub_cache.h"
#include "core/model/model_card.h"

namespace plastiscope {

struct FoundModel {
  std::string name;  // "ORG/NAME", "ORG/NAME@branch", "ORG/NAME/FILE.gguf", "NAME:TAG"; see resolveModelPath
  std::filesystem::path path;
  std::string source;  // "Hugging Face cache", "LM Studio", "Ollama", "llama.cpp cache", or the extra folder
  std::string ref;     // branch, tag or short hash of a snapshot in a Hugging Face cache, else ""
  std::string date;    // "2026-05-31" (UTC): newest of its files
  std::uint64_t bytes = 0;        // on disk; files with two names count once
  bool unfinished = false;        // files are missing: a download is running or was aborted
  std::string architecture;       // "" when unknown
  std::optional<ModelCard> card;  // nothing if the model cannot be opened
  std::string problem;            // reason
  bool otherFamily = false;       // no card because only the engine transformers knows the family
};

// Finds models in the Hugging Face cache (HF_HUB_CACHE, HUGGINGFACE_HUB_CACHE, HF_HOME/hub,
// TRANSFORMERS_CACHE, else XDG_CACHE_HOME or ~/.cache), LM Studio, Ollama, llama.cpp and the given folders,
// sorted by source and name. Opens each one for its card, which takes some milliseconds. Models that cannot
// be opened (unknown architecture, unsupported quantisation, unfinished download) get a `problem`; unreadable
// folders are skipped.
std::vector<FoundModel> findModels(const std::vector<std::filesystem::path>& extraFolders);

// The same without opening models: no architecture, card or problem.
std::vector<FoundModel> locateModels(const std::vector<std::filesystem::path>& extraFolders);

// ---- Folder layouts of programs that store models; one line per program in model_places.cpp.

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
