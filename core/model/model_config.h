#pragma once
// A configuration as it was read, from either container, before it becomes a ModelSpec.
#include <filesystem>
#include <optional>
#include <string>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/model/architecture.h"
#include "core/weights/gguf.h"

namespace plastiscope {

struct ModelConfig {
  const Architecture* architecture = nullptr;
  // Of the language model, under Hugging Face's key names in both containers, with the architecture's
  // defaults; messages name the file's own key.
  CheckedJson values;
  Json rope;                         // RoPE settings in normal form (rope_kinds.h)
  std::string name;                  // what the model is called
  Json asRead;                       // the whole configuration; GGUF: metadata without arrays
  Json quantisation{};               // Hugging Face's quantization_config, null when there is none
  std::optional<Fault> ropeFault{};  // why the RoPE settings cannot be used unless they are overridden
};

// config.json of a model folder. InputError: missing, damaged, unknown architecture or quantisation.
ModelConfig readHfConfig(const std::filesystem::path& folder);

// Metadata of a GGUF file, with what only its tensors tell (rows of the embedding, biases, RoPE factors).
ModelConfig readGgufConfig(const GgufFile& file);

// The spec. `ropeOverride` (object or null) is laid over the RoPE settings.
ModelSpec buildSpec(const ModelConfig& config, const Json& ropeOverride);

}  // namespace plastiscope
