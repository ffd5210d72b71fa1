#pragma once
// A configuration read from either container, before it becomes a ModelSpec.
#include <filesystem>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/model/architecture.h"
#include "core/model/model.h"
#include "core/weights/gguf.h"

namespace plastiscope {

struct ModelConfig {
  const Architecture* architecture = nullptr;
  // Settings of the language model under Hugging Face's key names, completed with the architecture's
  // defaults; messages use the file's own key.
  CheckedJson values;
  Json rope;                         // RoPE settings in normal form (rope_kinds.h)
  std::string name;                  // name of the model
  Json asRead;                       // the whole configuration; GGUF: metadata without arrays
  Json quantisation{};               // quantization_config of Hugging Face, else null
  std::optional<Fault> ropeFault{};  // set if the RoPE settings are unusable without an override
};

// config.json of a model folder. InputError: missing, damaged, unknown architecture or quantisation.
ModelConfig readHfConfig(const std::filesystem::path& folder);

// The same for any family; nothing if it does not state a model type.
std::optional<FolderFacts> readFolderConfig(const std::filesystem::path& folder);

// Metadata of a GGUF file, completed from its tensors (rows of the embedding, biases, RoPE factors).
ModelConfig readGgufConfig(const GgufFile& file);

// Replaces lists with a number for each layer under these keys: by the first number, and `per_layer_config`
// for layers with another one. Lists of another length stay and are refused later.
void splitLayerLists(Json& values, std::initializer_list<const char*> keys);

// `ropeOverride` (object or null) is merged into the RoPE settings.
ModelSpec buildSpec(const ModelConfig& config, const Json& ropeOverride);

// ---- Binds tensors of a file to their roles.

// Fills root, embedding, layers, warnings and notes of `model`, whose spec and weights are set. InputError
// lists all tensors that are missing, of another shape, of a type without weights, or unused in an executed
// layer; other unused tensors are noted.
void bindWeights(const Architecture& architecture, bool isGguf, Model& model);

// Whether `name` matches `pattern`, in which * is any text.
bool fitsPattern(std::string_view name, std::string_view pattern);

}  // namespace plastiscope
