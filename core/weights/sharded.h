#pragma once
// A model folder whose weights lie in several safetensors files, listed by model.safetensors.index.json.
#include <filesystem>
#include <memory>

#include "core/weights/tensor_source.h"

namespace plastiscope {

// Shards in the order of their names; of each shard the tensors that the index assigns to it. InputError when
// the index is damaged, names a file outside the folder (links into the download cache's own blobs are
// allowed), or a listed tensor is not in its shard.
std::shared_ptr<const TensorSource> openShardedSafetensors(const std::filesystem::path& index);

}  // namespace plastiscope
