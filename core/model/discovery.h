#pragma once
// Models that other programs have put on this computer.
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/model/model_card.h"

namespace plastiscope {

struct FoundModel {
  std::string
      name;  // "ORG/NAME", "ORG/NAME@branch", "ORG/NAME/FILE.gguf", "NAME:TAG": resolveModelPath takes it
  std::filesystem::path path;
  std::string source;  // "Hugging Face cache", "LM Studio", "Ollama", "llama.cpp cache", or the extra folder
  std::string ref;     // branch, tag or short hash of a snapshot in a Hugging Face cache, else ""
  std::string date;    // "2026-05-31" (UTC): the newest of its files
  std::uint64_t bytes = 0;        // real size on disk; files that stand twice count once
  bool unfinished = false;        // files are missing that some program is (or was) downloading
  std::string architecture;       // "" when unknown
  std::optional<ModelCard> card;  // nothing when the model cannot be opened
  std::string problem;            // why not
};

// Models of the Hugging Face cache (HF_HUB_CACHE, HUGGINGFACE_HUB_CACHE, HF_HOME/hub, TRANSFORMERS_CACHE,
// else XDG_CACHE_HOME or ~/.cache), LM Studio, Ollama, llama.cpp and the given folders, by source and name.
// Each is opened for its card, so this takes some milliseconds a model. One that cannot be opened (an unknown
// architecture, an unread quantisation, an unfinished download) is listed with the reason; unreadable places
// are skipped.
std::vector<FoundModel> findModels(const std::vector<std::filesystem::path>& extraFolders);

// The same without opening anything: neither architecture, card nor problem.
std::vector<FoundModel> locateModels(const std::vector<std::filesystem::path>& extraFolders);

}  // namespace plastiscope
