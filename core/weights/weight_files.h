#pragma once
// Finds the weights of a path that the user gave.
#include <filesystem>

namespace plastiscope {

enum class WeightKind { Safetensors, ShardIndex, Gguf };

struct WeightFile {
  WeightKind kind = WeightKind::Safetensors;
  std::filesystem::path file;  // the .safetensors file, the index, or the (first) GGUF file
};

// `path`: a weight file, or a model folder: model.safetensors, else its index of shards, else, when there is
// no config.json, the only GGUF model in it. consolidated*.safetensors never count. InputError says what is
// there instead (pickled weights, an adapter, another program's weights, nothing) and what to do.
WeightFile weightFileOf(const std::filesystem::path& path);

}  // namespace plastiscope
