#pragma once
// The safetensors container: 8-byte header length, JSON header, data.
#include <filesystem>
#include <memory>
#include <vector>

#include "core/weights/tensor_directory.h"
#include "core/weights/tensor_source.h"

namespace plastiscope {

// Reads and checks the tensor directory, in data order. InputError names the violated rule: header length,
// form of the JSON object, unsigned integers, sizes that match shapes, data without gaps or overlaps up to
// the end of the file, unique names.
std::vector<TensorInfo> readSafetensorsDirectory(const ByteSource& file);

std::shared_ptr<const TensorSource> openSafetensors(const std::filesystem::path& file);

// ---- Sharded models: several safetensors files listed by model.safetensors.index.json.

// Tensors that the index assigns to each shard, shards sorted by name. InputError when the index is damaged.
// Tensors are marked unread when missing from their shard, or when the shard is missing, damaged, outside the
// folder, or a link of another user (unless `followLinks`).
std::shared_ptr<const TensorSource> openShardedSafetensors(const std::filesystem::path& index,
                                                           bool followLinks = false);

}  // namespace plastiscope
