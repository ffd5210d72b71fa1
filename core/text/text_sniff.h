#pragma once
// Whether a file whose name says nothing is a plain text.
#include <filesystem>

namespace plastiscope {

// Judged by its first 4 KiB: valid UTF-8 without zero bytes, and not empty. A file that cannot be read is no
// text.
bool looksLikeText(const std::filesystem::path& file);

}  // namespace plastiscope
