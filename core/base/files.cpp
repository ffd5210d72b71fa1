#include "core/base/files.h"

#include <fcntl.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cstring>
#include <memory>

#include "core/base/descriptor.h"
#include "core/base/error.h"
#include "core/base/stand_in.h"

namespace plastiscope {

namespace fs = std::filesystem;

std::string readFile(const fs::path& file, std::size_t maxBytes) {
  const InputFile input(file);
  refuseStandIn(input);
  std::string content;
  std::vector<std::byte> block(1 << 16);
  while (true) {
    const std::size_t got = input.read(content.size(), block);
    content.append(reinterpret_cast<const char*>(block.data()), got);
    if (content.size() > maxBytes) {
      throw InputError({file, "size", "at most " + byteText(maxBytes), "more"});
    }
    if (got < block.size()) return content;
  }
}

void writeFileAtomically(const fs::path& file, std::span<const std::byte> content) {
  TemporaryFile temporary(file);
  temporary.write(content);
  temporary.finish();
  temporary.take();
}

void writeFileAtomically(const fs::path& file, std::string_view content) {
  writeFileAtomically(file, std::as_bytes(std::span(content.data(), content.size())));
}

void writeFileAtomically(const fs::path& file, const std::function<void(const fs::path&)>& write) {
  TemporaryFile temporary(file);
  write(temporary.path());
  temporary.finish();
  temporary.take();
}

void writeFolderAtomically(const fs::path& folder, const std::function<void(const fs::path&)>& fill) {
  const fs::path place = folder.has_filename() ? folder : folder.parent_path();  // "out/" means "out"
  std::error_code code;
  const bool empty = fs::is_directory(place, code) && fs::is_empty(place, code);
  if (fs::exists(place, code) && !empty) {
    throw InputError({place, "", "a new or empty folder",
                      fs::is_directory(place, code) ? "a folder with files in it" : "a file"});
  }
  requireWritableFolderOf(place.parent_path() / "content");
  TemporaryFolder temporary(place);
  fill(temporary.path());
  temporary.take();
}

void writeFilesTogether(const fs::path& folder, const std::vector<NewFile>& files,
                        const std::vector<std::string>& obsolete) {
  std::vector<std::unique_ptr<TemporaryFile>> written;
  for (const NewFile& file : files) {
    written.push_back(std::make_unique<TemporaryFile>(folder / file.name));
    written.back()->write(std::as_bytes(std::span(file.content)));
    written.back()->finish();
  }
  for (const auto& file : written) file->exchange();  // if one fails, destructors restore the others
  for (const auto& file : written) file->keep();
  std::error_code ignored;  // obsolete files may remain
  for (const std::string& name : obsolete) fs::remove(folder / name, ignored);
  syncFolderOf(folder / "content");
}

void appendLineDurably(const fs::path& file, std::string_view line) {
  Descriptor descriptor(
      uninterrupted([&] { return ::open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666); }));
  if (!descriptor.valid()) failToWrite(file, errno);
  const std::string whole = std::string(line) + "\n";
  writeFully(descriptor.get(), std::as_bytes(std::span(whole)), file);
  if (uninterrupted([&] { return ::fsync(descriptor.get()); }) != 0) failToWrite(file, errno);
  if (const int error = descriptor.close(); error != 0) failToWrite(file, error);
}

void requireWritableFolderOf(const fs::path& file) {
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  std::error_code code;
  do {
    fs::create_directories(folder, code);
  } while (code == std::errc::interrupted);
  if (noRoomWords(code.value()) != nullptr) failToWrite(folder, code.value());
  if (code) throw InputError({folder, "", "", "the folder cannot be made: " + code.message()});
  if (::access(folder.c_str(), W_OK | X_OK) != 0) {
    throw InputError({folder, "", "", std::string("the folder cannot be written: ") + std::strerror(errno)});
  }
  if (fs::is_directory(file, code)) throw InputError({file, "", "a file name", "a folder"});
}

unsigned long long freeDiskBytes(const fs::path& path) {
  fs::path place = fs::absolute(path);
  std::error_code code;
  while (!fs::exists(place, code) && place.has_parent_path() && place != place.parent_path()) {
    place = place.parent_path();
  }
  struct statvfs status {};
  if (::statvfs(place.c_str(), &status) != 0) return 0;
  return static_cast<unsigned long long>(status.f_bavail) * status.f_frsize;
}

bool isShipped(const std::filesystem::path& file) {
  std::error_code ignored;
  return std::filesystem::exists(file.parent_path() / "plastiscope-shipped.txt", ignored);
}

}  // namespace plastiscope
