#pragma once
// Finds models that other programs downloaded to this computer.
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

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
};

// Finds models in the Hugging Face cache (HF_HUB_CACHE, HUGGINGFACE_HUB_CACHE, HF_HOME/hub,
// TRANSFORMERS_CACHE, else XDG_CACHE_HOME or ~/.cache), LM Studio, Ollama, llama.cpp and the given folders,
// sorted by source and name. Opens each one for its card, which takes some milliseconds. Models that cannot
// be opened (unknown architecture, unsupported quantisation, unfinished download) get a `problem`; unreadable
// folders are skipped.
std::vector<FoundModel> findModels(const std::vector<std::filesystem::path>& extraFolders);

// The same without opening models: no architecture, card or problem.
std::vector<FoundModel> locateModels(const std::vector<std::filesystem::path>& extraFolders);

}  // namespace plastiscope
