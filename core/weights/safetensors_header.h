#pragma once
// The JSON header of a safetensors file, read event by event so that a large one is never held as a tree.
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/weights/tensor_type.h"

namespace plastiscope {

// One tensor as the header declares it, not yet checked against the file.
struct SafetensorsEntry {
  std::string name;
  std::string dtype;
  const TensorFormat* format = nullptr;  // none of a type that is not read
  std::vector<std::int64_t> shape;
  std::uint64_t begin = 0, end = 0;  // relative to the data area
};

// InputError on a syntax error, on another form than the container's, on a number that is no plain unsigned
// integer, on a key that stands twice in one object, and on more than 500,000 tensors.
std::vector<SafetensorsEntry> parseSafetensorsHeader(std::string_view header,
                                                     const std::filesystem::path& file);

}  // namespace plastiscope
