#pragma once
// Reads whole files; the only routines that write files and folders under their final names.
#include <cstddef>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace plastiscope {

// The whole file. InputError when it is missing, unreadable, not a regular file, or larger than `maxBytes`.
std::string readFile(const std::filesystem::path& file, std::size_t maxBytes = std::size_t{1} << 31);

// Writes a temporary file in the same folder, syncs it, renames it and syncs the folder. InputError when the
// file cannot be written, ResourceError when the disk is full; then an old file stays and nothing is left
// behind.
void writeFileAtomically(const std::filesystem::path& file, std::span<const std::byte> content);
void writeFileAtomically(const std::filesystem::path& file, std::string_view content);

// The same for content that another library writes itself: `write` gets the temporary path and must close it.
void writeFileAtomically(const std::filesystem::path& file,
                         const std::function<void(const std::filesystem::path& temporary)>& write);

// The same for a whole folder: `fill` writes into a temporary folder that is then renamed. InputError when
// the final path exists already, unless it is an empty folder.
void writeFolderAtomically(const std::filesystem::path& folder,
                           const std::function<void(const std::filesystem::path& temporary)>& fill);

// Appends and fsyncs one line (for manifests).
void appendLineDurably(const std::filesystem::path& file, std::string_view line);

// Makes the folder of `file` if needed. InputError when it cannot be made or written.
void requireWritableFolderOf(const std::filesystem::path& file);

// Free bytes of the file system that holds `path` (or its nearest existing parent).
unsigned long long freeDiskBytes(const std::filesystem::path& path);

// ---- Files of one folder that belong together.

struct NewFile {
  std::string name, content;
};

// Writes all of `files` or none: each goes to a temporary name first, then all are renamed in this order;
// when one fails, the ones before it are restored. Finally the files named in `obsolete` are removed.
// InputError, ResourceError.
void writeFilesTogether(const std::filesystem::path& folder, const std::vector<NewFile>& files,
                        const std::vector<std::string>& obsolete);

// ---- Folders of files that come with the program; nothing is written into them.

// Whether the file's folder is marked as one (plastiscope-shipped.txt).
bool isShipped(const std::filesystem::path& file);

}  // namespace plastiscope
