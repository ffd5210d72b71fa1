#pragma once
// Finds the weights for a path from the user.
#include <filesystem>

namespace plastiscope {

enum class WeightKind { Safetensors, ShardIndex, Gguf };

struct WeightFile {
  WeightKind kind = WeightKind::Safetensors;
  std::filesystem::path file;  // the .safetensors file, the index, or the (first) GGUF file
};

// `path`: a weight file or a model folder. In a folder: model.safetensors, else its index of shards, else,
// without config.json, its only GGUF model; consolidated*.safetensors are never used. InputError names the
// files found instead (pickled weights, an adapter, ...) and a remedy.
WeightFile weightFileOf(const std::filesystem::path& path);

}  // namespace plastiscope
