#pragma once
// The tensors of one or several files: what every source keeps. The readers fill it with checked entries.
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/weights/byte_source.h"
#include "core/weights/tensor_source.h"

namespace plastiscope {

class TensorDirectory {
 public:
  // Every tensor's [offset, offset + bytes) must lie inside `file`. InputError when a name stands twice, in
  // this file or in one added before.
  void add(std::shared_ptr<const ByteSource> file, std::vector<TensorInfo> tensors);

  const std::vector<TensorInfo>& tensors() const { return m_tensors; }
  const TensorInfo* find(std::string_view name) const;
  void readBytes(const TensorInfo& tensor, std::uint64_t first, std::span<std::byte> out) const;
  // Does nothing while the files fit into memory: the next pass then finds them in the system's cache.
  void forget(const TensorInfo& tensor) const;
  std::string text() const;  // one line a tensor: name, type, shape, number of its file, offset

 private:
  const ByteSource& fileOf(const TensorInfo& tensor) const;
  std::vector<std::shared_ptr<const ByteSource>> m_files;
  std::vector<TensorInfo> m_tensors;
  std::vector<std::uint32_t> m_byName;  // tensor numbers, sorted by name
  std::uint64_t m_bytes = 0;            // of all files
  bool m_largerThanMemory = false;
};

// A source that is nothing but its directory (safetensors, shards).
class DirectorySource final : public TensorSource {
 public:
  DirectorySource(std::filesystem::path path, TensorDirectory directory)
      : m_path(std::move(path)), m_directory(std::move(directory)) {}
  const std::vector<TensorInfo>& tensors() const override { return m_directory.tensors(); }
  const TensorInfo* find(std::string_view name) const override { return m_directory.find(name); }
  void readBytes(const TensorInfo& tensor, std::uint64_t first, std::span<std::byte> out) const override {
    m_directory.readBytes(tensor, first, out);
  }
  void forget(const TensorInfo& tensor) const override { m_directory.forget(tensor); }
  const std::filesystem::path& path() const override { return m_path; }
  std::string directoryText() const override { return m_directory.text(); }

 private:
  std::filesystem::path m_path;
  TensorDirectory m_directory;
};

}  // namespace plastiscope
