#pragma once
// What every source of tensors keeps: the bytes of its files and where each tensor lies in them.
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

// ---- The bytes of one weight file, read by position. Nothing is mapped: when another program cuts a mapped
// file short, the next touch kills the process (SIGBUS) and no check beforehand can rule that out; a read
// that meets the new end is an ordinary answer, which becomes an InputError. Reading also leaves no pages of
// the file in this process's memory.

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  virtual const std::filesystem::path& path() const = 0;
  virtual std::uint64_t size() const = 0;  // when it was opened
  // Fills `out` from `offset` on. InputError when the file ends before (it was cut short after opening) or
  // cannot be read. Any number of threads may read at the same time.
  virtual void read(std::uint64_t offset, std::span<std::byte> out) const = 0;
  // Lets the system drop these bytes from its cache.
  virtual void dropPageCache(std::uint64_t offset, std::uint64_t size) const = 0;
};

// InputError when the file is missing, unreadable, or not a regular file.
std::shared_ptr<const ByteSource> openBytes(const std::filesystem::path& file);

// ---- The tensors of one or several files: what every source keeps. The readers fill it with checked
// entries.

class TensorDirectory {
 public:
  // Every tensor's [offset, offset + bytes) must lie inside `file`, or it is `unread`. InputError when a name
  // stands twice, in this file or in one added before.
  void add(std::shared_ptr<const ByteSource> file, std::vector<TensorInfo> tensors);

  const std::vector<TensorInfo>& tensors() const { return m_tensors; }
  const TensorInfo* find(std::string_view name) const;
  void readBytes(const TensorInfo& tensor, std::uint64_t first, std::span<std::byte> out) const;
  // Does nothing while the files fit into memory: the next pass then finds them in the system's cache.
  void dropPageCache(const TensorInfo& tensor) const;
  std::string text() const;  // one line a tensor: name, type, shape, number of its file, offset

 private:
  const ByteSource& fileOf(const TensorInfo& tensor) const;
  std::vector<std::shared_ptr<const ByteSource>> m_files;
  std::vector<TensorInfo> m_tensors;
  std::vector<std::uint32_t> m_byName;  // tensor numbers, sorted by name
  std::uint64_t m_bytes = 0;            // of all files
  bool m_largerThanMemory = false;
};

// A source that is nothing but its directory (safetensors, shards), and what others are made of.
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
