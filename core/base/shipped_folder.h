#pragma once
// Folders of files that came with the program: they are read, and nothing is written beside them.
#include <filesystem>

namespace plastiscope {

// Whether the file's folder holds the mark of such a folder.
bool isShipped(const std::filesystem::path& file);

}  // namespace plastiscope
