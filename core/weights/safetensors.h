#pragma once
// The safetensors container: 8-byte header length, JSON header, data.
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/weights/tensor_directory.h"
#include "core/weights/tensor_source.h"
#include "core/weights/tensor_type.h"

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

// ---- Parses the JSON header of a safetensors file event by event, without building a tree.

// A tensor as declared in the header, not yet checked against the file.
struct SafetensorsEntry {
  std::string name;
  std::string dtype;
  const TensorFormat* format = nullptr;  // nullptr for unsupported types
  std::vector<std::int64_t> shape;
  std::uint64_t begin = 0, end = 0;  // relative to the data area
};

// InputError: syntax error, unexpected structure, a number that is not an unsigned integer, duplicate keys in
// an object, more than 500,000 tensors.
std::vector<SafetensorsEntry> parseSafetensorsHeader(std::string_view header,
                                                     const std::filesystem::path& file);

}  // namespace plastiscope
