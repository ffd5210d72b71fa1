#pragma once
// Whole-file reading, and the program's only routine that writes a file under its final name.
#include <cstddef>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace plastiscope {

// The whole file; InputError when it is missing, unreadable, not a regular file, or larger than `maxBytes`.
std::string readFile(const std::filesystem::path& file, std::size_t maxBytes = std::size_t{1} << 31);

// Temporary name in the same folder, full write, fsync, rename, fsync of the folder. InputError when the
// place cannot be written, ResourceError when the disk is full; the old file is then untouched and nothing is
// left behind.
void writeFileAtomically(const std::filesystem::path& file, std::span<const std::byte> content);
void writeFileAtomically(const std::filesystem::path& file, std::string_view content);

// The same for content that another library writes itself: `write` gets the temporary path and must close it.
void writeFileAtomically(const std::filesystem::path& file,
                         const std::function<void(const std::filesystem::path& temporary)>& write);

// The same for a whole folder: `fill` gets a temporary folder beside the final place, and everything appears
// at once. InputError when there is something at that place already (an empty folder may be there).
void writeFolderAtomically(const std::filesystem::path& folder,
                           const std::function<void(const std::filesystem::path& temporary)>& fill);

// Appends and fsyncs one line (for manifests).
void appendLineDurably(const std::filesystem::path& file, std::string_view line);

// The folder that will hold `file` exists (made if need be) and can be written: InputError otherwise.
void requireWritableFolderOf(const std::filesystem::path& file);

// Free bytes of the file system that holds `path` (or its nearest existing parent).
unsigned long long freeDiskBytes(const std::filesystem::path& path);

// ---- Files of one folder that belong together.

struct NewFile {
  std::string name, content;
};

// All of them or none: each is written and made durable under a temporary name, then they take their names in
// this order; when one cannot, those before it are taken back. Then `obsolete` names of the folder go. Other
// files stay as they are. InputError, ResourceError.
void writeFilesTogether(const std::filesystem::path& folder, const std::vector<NewFile>& files,
                        const std::vector<std::string>& obsolete);

// ---- Folders of files that came with the program: they are read, and nothing is written beside them.

// Whether the file's folder holds the mark of such a folder.
bool isShipped(const std::filesystem::path& file);

}  // namespace plastiscope
