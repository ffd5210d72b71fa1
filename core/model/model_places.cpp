#include "core/model/model_places.h"

#include <cstdlib>

namespace plastiscope {
namespace fs = std::filesystem;

namespace {

// The folder that an environment variable names, "~" in front standing for the home folder; empty when it is
// not set.
fs::path folderFrom(const char* variable) {
  const char* value = std::getenv(variable);
  const std::string text = value == nullptr ? "" : value;
  const char* home = std::getenv("HOME");
  const bool inHome = home != nullptr && (text == "~" || text.starts_with("~/"));
  return inHome ? fs::path(home + text.substr(1)) : fs::path(text);
}

fs::path firstOf(std::initializer_list<fs::path> folders) {
  for (const fs::path& folder : folders) {
    if (!folder.empty()) return folder;
  }
  return {};
}

fs::path below(const fs::path& folder, const char* name) {
  return folder.empty() ? fs::path() : folder / name;
}

bool isHubCache(const fs::path& folder) {
  std::error_code code;
  for (fs::directory_iterator entry(folder, code), end; !code && entry != end; entry.increment(code)) {
    if (entry->path().filename().string().starts_with("models--")) return true;
  }
  return false;
}

}  // namespace

std::vector<ModelPlace> usualModelPlaces() {
  const fs::path home = folderFrom("HOME");
  const fs::path cache = firstOf({folderFrom("XDG_CACHE_HOME"), below(home, ".cache")});
  const fs::path hub = firstOf({folderFrom("HF_HUB_CACHE"), folderFrom("HUGGINGFACE_HUB_CACHE"),
                                below(folderFrom("HF_HOME"), "hub"), below(cache, "huggingface/hub")});
  const std::vector<ModelPlace> all = {
      {"Hugging Face cache", hub, locateInHubCache},
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
  return {folder.string(), folder, isHubCache(folder) ? locateInHubCache : locateInFolders};
}

}  // namespace plastiscope
