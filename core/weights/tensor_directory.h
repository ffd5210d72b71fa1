#pragma once
// Directory of tensors and access to the bytes of their files.
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/weights/tensor_source.h"

namespace plastiscope {

// ---- The bytes of one weight file, read by position. Files are not mapped: truncation by another program
// would then end the process (SIGBUS), whereas a read reports it, as an InputError. Reading also keeps file
// pages out of this process's memory.

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  virtual const std::filesystem::path& path() const = 0;
  virtual std::uint64_t size() const = 0;  // when it was opened
  // Fills `out` from `offset` on. InputError when the file cannot be read or was truncated after opening.
  // Thread-safe.
  virtual void read(std::uint64_t offset, std::span<std::byte> out) const = 0;
  // Advises the system to drop these bytes from the page cache.
  virtual void dropPageCache(std::uint64_t offset, std::uint64_t size) const = 0;
};

// InputError when the file is missing, unreadable, or not a regular file.
std::shared_ptr<const ByteSource> openBytes(const std::filesystem::path& file);

// ---- Tensors of one or several files; readers add checked entries.

class TensorDirectory {
 public:
  // The range [offset, offset + bytes) of a tensor must lie inside `file` unless it is `unread`. InputError
  // when a name occurs twice, also across files.
  void add(std::shared_ptr<const ByteSource> file, std::vector<TensorInfo> tensors);

  const std::vector<TensorInfo>& tensors() const { return m_tensors; }
  const TensorInfo* find(std::string_view name) const;
  void readBytes(const TensorInfo& tensor, std::uint64_t first, std::span<std::byte> out) const;
  // No effect if the files fit into memory: later passes then read from the page cache.
  void dropPageCache(const TensorInfo& tensor) const;
  std::string text() const;  // one line per tensor: name, type, shape, number of its file, offset

 private:
  const ByteSource& fileOf(const TensorInfo& tensor) const;
  std::vector<std::shared_ptr<const ByteSource>> m_files;
  std::vector<TensorInfo> m_tensors;
  std::vector<std::uint32_t> m_byName;  // tensor numbers, sorted by name
  std::uint64_t m_bytes = 0;            // of all files
  bool m_largerThanMemory = false;
};

// A source backed by a directory alone (safetensors, shards); base of other sources.
class DirectorySource : public TensorSource {
 public:
  DirectorySource(std::filesystem::path path, TensorDirectory directory)
      : m_path(std::move(path)), m_directory(std::move(directory)) {}
  const std::vector<TensorInfo>& tensors() const override { return m_directory.tensors(); }
  const TensorInfo* find(std::string_view name) const override { return m_directory.find(name); }
  void readBytes(const TensorInfo& tensor, std::uint64_t first, std::span<std::byte> out) const override {
    m_directory.readBytes(tensor, first, out);
  }
  void dropPageCache(const TensorInfo& tensor) const override { m_directory.dropPageCache(tensor); }
  const std::filesystem::path& path() const override { return m_path; }
  std::string directoryText() const override { return m_directory.text(); }

 private:
  std::filesystem::path m_path;
  TensorDirectory m_directory;
};

}  // namespace plastiscope
