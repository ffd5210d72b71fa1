#pragma once
// Files that are shipped beside the program and not built into it (the example capture).
#include <filesystem>

namespace plastiscope {

// Below share/plastiscope of the installation, or resources/ of the source tree; empty when it is in neither.
std::filesystem::path resourceFile(const std::filesystem::path& relative);
// The shipped example capture; empty when it was not installed.
std::filesystem::path exampleCapture();

}  // namespace plastiscope
