#pragma once
// Files of resources/reference, built into the program (embed_files.cmake).
#include <span>
#include <string_view>

namespace plastiscope {

struct EmbeddedFile {
  std::string_view name;  // "models.csv"
  std::string_view text;
};
std::span<const EmbeddedFile> embeddedReference();

}  // namespace plastiscope
