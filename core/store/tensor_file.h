#pragma once
// A safetensors file that states its own checksum, for tensors that lie in pieces and are never copied
// together.
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/forward/group_watch.h"
#include "core/weights/tensor_source.h"

namespace plastiscope {

using TensorFileFacts = std::map<std::string, std::string>;  // `__metadata__` but for the checksum

// In its place and durable but for its name, which a sync of the folder makes so. The checksum is the CRC-32
// of the JSON header, in which it is 8 zeros, and of everything after it; it is returned. InputError,
// ResourceError as TemporaryFile.
std::string writeTensorFile(const std::filesystem::path& file, const TensorFileFacts& facts,
                            const std::vector<StateTensor>& tensors);

class TensorFile {
 public:
  // The whole file is read against its checksum: InputError, Stopped.
  TensorFile(const std::filesystem::path& file, Progress& progress);
  const std::string& fact(const std::string& name) const;  // InputError when there is none
  const std::string& checksum() const { return m_checksum; }
  // InputError when there is no such tensor.
  const TensorInfo& tensor(const std::string& name) const;
  void read(const TensorInfo& tensor, std::uint64_t first, std::span<std::byte> out) const;

  // The facts of a file as it states them, unchecked. InputError.
  static TensorFileFacts factsOf(const std::filesystem::path& file);

 private:
  std::shared_ptr<const TensorSource> m_source;
  TensorFileFacts m_facts;
  std::string m_checksum;
};

}  // namespace plastiscope
