#include "core/model/model_places.h"

#include "core/base/path_text.h"

namespace plastiscope {
namespace fs = std::filesystem;

namespace {

bool isHubCache(const fs::path& folder) {
  return !hubEntries(folder, "models").empty();
}

}  // namespace

std::vector<ModelPlace> usualModelPlaces() {
  const fs::path home = folderFrom("HOME"), cache = userCacheFolder();
  const std::vector<ModelPlace> all = {
      {"Hugging Face cache", hubCacheFolder(), locateInHubCache},
      {"Hugging Face cache", folderFrom("TRANSFORMERS_CACHE"), locateInHubCache},
      {"LM Studio", below(home, ".lmstudio/models"), locateInFolders},
      {"LM Studio", below(cache, "lm-studio/models"), locateInFolders},
      {"Ollama", firstOf({folderFrom("OLLAMA_MODELS"), below(home, ".ollama/models")}), locateInOllama},
      {"Ollama", "/usr/share/ollama/.ollama/models", locateInOllama},
      {"llama.cpp cache", firstOf({folderFrom("LLAMA_CACHE"), below(cache, "llama.cpp")}), locateInFolders},
  };
  std::vector<ModelPlace> named;
  for (const ModelPlace& place : all) {
    if (!place.folder.empty()) named.push_back(place);
  }
  return named;
}

ModelPlace placeOfFolder(const fs::path& folder) {
  return {pathText(folder), folder, isHubCache(folder) ? locateInHubCache : locateInFolders};
}

}  // namespace plastiscope
