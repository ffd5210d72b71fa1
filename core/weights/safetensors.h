#pragma once
// The safetensors container: 8-byte header length, JSON header, raw data.
#include <filesystem>
#include <memory>
#include <vector>

#include "core/weights/tensor_directory.h"
#include "core/weights/tensor_source.h"

namespace plastiscope {

// The checked tensor directory of a file, in data order. InputError names the rule that is broken:
// header length, JSON object of known form, plain unsigned numbers, sizes that fit shapes, data
// without gap or overlap up to the end of the file, names once.
std::vector<TensorInfo> readSafetensorsDirectory(const ByteSource& file);

std::shared_ptr<const TensorSource> openSafetensors(const std::filesystem::path& file);

// ---- A model folder whose weights lie in several safetensors files, listed by model.safetensors.index.json.

// Shards in the order of their names; of each shard the tensors that the index assigns to it. InputError when
// the index is damaged. A shard that is missing, damaged, outside the folder, or a link of another user
// (unless `followLinks`) leaves its tensors unread, and so does a tensor that is not in its shard.
std::shared_ptr<const TensorSource> openShardedSafetensors(const std::filesystem::path& index,
                                                           bool followLinks = false);

}  // namespace plastiscope
