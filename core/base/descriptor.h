#pragma once
// Files below the level of whole contents: descriptors, files that are read, temporary ones, standard
// streams.
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace plastiscope {

// ---- File descriptors: closed once, calls repeated after a signal, failures told apart.

// Calls until no signal interrupts it.
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
  // 0, or the error. An interrupted close is not repeated: the descriptor is gone, and may be another file's.
  int close();

 private:
  int m_fd;
};

// Whole, at the current place. InputError, ResourceError that name `file`.
void writeFully(int fd, std::span<const std::byte> content, const std::filesystem::path& file);

// ResourceError when `error` means a full disk, a used up quota or a limit on sizes of files, else
// InputError.
[[noreturn]] void failToWrite(const std::filesystem::path& file, int error);
// What to call an error number that says that there is no room; nullptr for any other.
const char* noRoomWords(int error);

// fsync of the folder that holds `file`, after a rename. Some file systems refuse; the rename stands anyway.
void syncFolderOf(const std::filesystem::path& file);

// ---- A file that is read. Everything that opens a path of a person or of a stranger goes through here:
// folders, named pipes and devices are refused, and never waited for.

class InputFile {
 public:
  // InputError when it is missing, unreadable or no regular file.
  explicit InputFile(std::filesystem::path file);
  const std::filesystem::path& path() const { return m_path; }
  std::uint64_t size() const { return m_size; }  // when it was opened
  int descriptor() const { return m_descriptor.get(); }
  // As many bytes as there are from `offset`, at most out.size(). InputError when reading fails.
  std::size_t read(std::uint64_t offset, std::span<std::byte> out) const;

 private:
  std::filesystem::path m_path;
  Descriptor m_descriptor;
  std::uint64_t m_size = 0;
};

// The first `bytes` of a file, fewer when it has fewer. InputError as above.
std::string readStart(const std::filesystem::path& file, std::size_t bytes);

// "a folder", "a named pipe", ...: what stands at a place, by its st_mode.
std::string kindOfPlace(unsigned mode);

// ---- New files and folders that are not yet what they will be: beside their final place, under a name that
// nobody can guess, opened exclusively, gone unless they take the place.

class TemporaryFile {
 public:
  explicit TemporaryFile(std::filesystem::path place);  // InputError, ResourceError
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  const std::filesystem::path& path() const { return m_path; }
  const std::filesystem::path& place() const { return m_place; }
  void write(std::span<const std::byte> content);
  // Durable and closed, whoever wrote the content. Before take() or exchange().
  void finish();
  void take();  // the place, durably; what was there is gone
  // The same, durable when a sync of the folder follows.
  void takeBeforeSync();

  // The same as one of a set: what was there comes back, unless keep() follows.
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
  void take();  // an empty place, durably

 private:
  std::filesystem::path m_place, m_path;
  bool m_placed = false;
};

// Whether a file of this name, beside `place`, is one that a killed process left.
bool isTemporaryNameFor(std::string_view name, const std::filesystem::path& place);

// ---- Standard input, output and error of a program.

// At the start of a program: where one of the three is closed, no file that is opened later gets its number,
// and using it fails.
void occupyStandardDescriptors();

// At the end: InputError when not everything printed could be written, ResourceError when that is for want of
// disk.
void requireOutputWritten();

}  // namespace plastiscope
