#pragma once
// Paths and names as text. File systems allow every byte but "/" and NUL; JSON, HDF5 and the window need
// UTF-8.
#include <filesystem>
#include <string>
#include <string_view>

namespace plastiscope {

// Length in bytes of the well-formed UTF-8 sequence at `position` (Unicode 15, table 3-7), or 0; then
// `illFormed` is the length of the maximal ill-formed subpart, at least 1.
std::size_t wellFormedLength(std::string_view text, std::size_t position, std::size_t& illFormed);

// Bytes as UTF-8 without loss: a byte outside well-formed UTF-8 becomes \xHH (upper-case hex digits), and a
// backslash that would read as the start of such an escape becomes \x5C. Other text is unchanged.
std::string textOfBytes(std::string_view bytes);
// The inverse. Only \x80 to \xFF and \x5C are escapes; any other backslash is a backslash.
std::string bytesOfText(std::string_view text);

// The same for paths, as stored in JSON and attributes and shown in messages and labels.
std::string pathText(const std::filesystem::path& path);
std::filesystem::path pathOfText(std::string_view text);

}  // namespace plastiscope
