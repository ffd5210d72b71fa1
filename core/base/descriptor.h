#pragma once
// Low-level file access: descriptors, input files, temporary files and folders, standard streams.
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace plastiscope {

// ---- File descriptors

// Repeats a system call that a signal interrupted (EINTR).
template <typename Call>
auto uninterrupted(const Call& call) {
  auto result = call();
  while (result < 0 && errno == EINTR) result = call();
  return result;
}

class Descriptor {
 public:
  explicit Descriptor(int fd = -1) : m_fd(fd) {}
  Descriptor(Descriptor&& other) noexcept : m_fd(std::exchange(other.m_fd, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(m_fd, other.m_fd);
    return *this;
  }
  ~Descriptor() { close(); }
  int get() const { return m_fd; }
  bool valid() const { return m_fd >= 0; }
  // Returns 0 or the error number. Not repeated after a signal: the number may be in use again.
  int close();

 private:
  int m_fd;
};

// Writes all bytes at the current offset. InputError, ResourceError that name `file`.
void writeFully(int fd, std::span<const std::byte> content, const std::filesystem::path& file);

// Throws ResourceError when `error` means a full disk, an exceeded quota or file size limit, else InputError.
[[noreturn]] void failToWrite(const std::filesystem::path& file, int error);
// Wording for an error number that means no space; nullptr for any other.
const char* noRoomWords(int error);

// Calls fsync on the folder of `file`, after a rename. Failures are ignored; not all file systems allow it.
void syncFolderOf(const std::filesystem::path& file);

// ---- Input files. Every path from the user or from a file is opened here: folders, named pipes and devices
// are refused without blocking.

class InputFile {
 public:
  // InputError when it is missing, unreadable or not a regular file.
  explicit InputFile(std::filesystem::path file);
  const std::filesystem::path& path() const { return m_path; }
  std::uint64_t size() const { return m_size; }  // in bytes, when it was opened
  int descriptor() const { return m_descriptor.get(); }
  // Reads up to out.size() bytes from `offset`, fewer at the end of the file. InputError when reading fails.
  std::size_t read(std::uint64_t offset, std::span<std::byte> out) const;

 private:
  std::filesystem::path m_path;
  Descriptor m_descriptor;
  std::uint64_t m_size = 0;
};

// The first `bytes` of a file, or all of a shorter one. InputError as above.
std::string readStart(const std::filesystem::path& file, std::size_t bytes);

// "a folder", "a named pipe", ...: the kind of a file by its st_mode.
std::string kindOfPlace(unsigned mode);

// ---- Temporary files and folders: made beside their final path under an unpredictable name, opened
// exclusively, removed by the destructor unless moved to the final path.

class TemporaryFile {
 public:
  explicit TemporaryFile(std::filesystem::path place);  // InputError, ResourceError
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  const std::filesystem::path& path() const { return m_path; }
  const std::filesystem::path& place() const { return m_place; }
  void write(std::span<const std::byte> content);
  // Syncs and closes the file, also when another library wrote the content. Call before take() or exchange().
  void finish();
  void take();  // replaces the final path, durably
  // Like take(), but durable only after a sync of the folder.
  void takeBeforeSync();

  // Like take(), for a file of a set: the destructor restores the old file unless keep() is called.
  void exchange();
  void keep();

 private:
  enum class State { Beside, New, Exchanged, Kept };
  void rename();

  std::filesystem::path m_place, m_path;
  Descriptor m_descriptor;
  State m_state = State::Beside;
};

class TemporaryFolder {
 public:
  explicit TemporaryFolder(std::filesystem::path place);  // InputError, ResourceError
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::filesystem::path& path() const { return m_path; }
  void take();  // durably; the final path must be free or an empty folder

 private:
  std::filesystem::path m_place, m_path;
  bool m_placed = false;
};

// Whether `name` is that of a temporary file for `place`, left behind by a killed process.
bool isTemporaryNameFor(std::string_view name, const std::filesystem::path& place);

// ---- Standard input, output and error of a program.

// Call at the start of a program: occupies closed standard descriptors, so that no file opened later gets
// their numbers and using them fails.
void occupyStandardDescriptors();

// Call at the end: InputError when standard output could not be written completely, ResourceError when the
// disk is full.
void requireOutputWritten();

}  // namespace plastiscope
