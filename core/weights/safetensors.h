#pragma once
// The safetensors container: 8-byte header length, JSON header, raw data.
#include <filesystem>
#include <memory>
#include <vector>

#include "core/weights/byte_source.h"
#include "core/weights/tensor_source.h"

namespace plastiscope {

// The checked tensor directory of a file, in data order. InputError names the rule that is broken:
// header length, JSON object of known form, plain unsigned numbers, known types, sizes that fit shapes, data
// without gap or overlap up to the end of the file, names once.
std::vector<TensorInfo> readSafetensorsDirectory(const ByteSource& file);

std::shared_ptr<const TensorSource> openSafetensors(const std::filesystem::path& file);

}  // namespace plastiscope
