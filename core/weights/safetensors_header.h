#pragma once
// Parses the JSON header of a safetensors file event by event, without building a tree.
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/weights/tensor_type.h"

namespace plastiscope {

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
