#pragma once
// A safetensors file with its own checksum, written from tensors in several pieces without joining them in
// memory.
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/forward/group_watch.h"
#include "core/weights/tensor_source.h"

namespace plastiscope {

using TensorFileFacts = std::map<std::string, std::string>;  // `__metadata__` without the checksum

// Writes and syncs the file under its name; syncing the folder is left to the caller. Returns the checksum:
// CRC-32 of the JSON header, in which it is 8 zeros, and of everything after it. InputError, ResourceError as
// TemporaryFile.
std::string writeTensorFile(const std::filesystem::path& file, const TensorFileFacts& facts,
                            const std::vector<StateTensor>& tensors);

class TensorFile {
 public:
  // Reads the whole file and compares it with its checksum: InputError, Stopped.
  TensorFile(const std::filesystem::path& file, Progress& progress);
  const std::string& fact(const std::string& name) const;  // InputError if there is none
  const std::string& checksum() const { return m_checksum; }
  // InputError if there is no such tensor.
  const TensorInfo& tensor(const std::string& name) const;
  void read(const TensorInfo& tensor, std::uint64_t first, std::span<std::byte> out) const;

  // The facts stated in a file, unchecked. InputError.
  static TensorFileFacts factsOf(const std::filesystem::path& file);

 private:
  std::shared_ptr<const TensorSource> m_source;
  TensorFileFacts m_facts;
  std::string m_checksum;
};

}  // namespace plastiscope
