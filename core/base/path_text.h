#pragma once
// Paths and names as text. A file system allows every byte but "/" and NUL; JSON, HDF5 and the window take
// UTF-8.
#include <filesystem>
#include <string>
#include <string_view>

namespace plastiscope {

// Bytes of the well-formed UTF-8 sequence at `position` (Unicode 15, table 3-7), or 0; then `illFormed` is
// the length of the maximal part that begins one, at least 1.
std::size_t wellFormedLength(std::string_view text, std::size_t position, std::size_t& illFormed);

// Any bytes as UTF-8, without loss: a byte that is not part of well-formed UTF-8 becomes \xHH with two
// upper-case hex digits, and so does a backslash that would otherwise be read as the start of such an escape
// (\x5C). Everything else stays as it is, so the text of a well-formed name is nearly always the name.
std::string textOfBytes(std::string_view bytes);
// The bytes again. Only \x80 to \xFF and \x5C are escapes; every other backslash is a backslash.
std::string bytesOfText(std::string_view text);

// The same for paths: what JSON, attributes, messages and labels hold.
std::string pathText(const std::filesystem::path& path);
std::filesystem::path pathOfText(std::string_view text);

}  // namespace plastiscope
