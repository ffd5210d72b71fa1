#pragma once
// Saves a half-finished group of examples in parked/ of the work folder: state.safetensors has the input of
// the next step, rows-NNNNNN.safetensors the vectors taken between two states. Each file states its own
// checksum, and the state lists its rows files, so that a file left behind by a crash is never used
// (resources/help/capture-format.md).
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/capture/capture_unit.h"
#include "core/forward/group_watch.h"
#include "core/weights/tensor_source.h"

namespace plastiscope {

// Identifies the capture and the examples of a state.
struct ParkedFacts {
  std::string settingsHash;
  std::vector<std::int64_t> examples;  // of the group, in order
  double share = 0;                    // share of the capture's tokens in finished units and this state
};

class ParkedGroup {
 public:
  // For the work folder of one output. Reads and creates nothing.
  ParkedGroup(std::filesystem::path workFolder, UnitLayout layout);

  // Writes a state durably and returns the bytes written. `sink` has the vectors of all steps before
  // state.next; those of earlier calls are not written again. The previous state is kept if this fails
  // (ResourceError, InputError).
  std::uint64_t save(const ParkedFacts& facts, const GroupState& state, const CaptureSink& sink);
  void remove();  // removes state and rows before another group begins

  // Whether there is a state, valid or not.
  bool exists() const;
  // Reads the state and checks all files against their checksums; InputError, Stopped. Then facts() and
  // state() are valid, and fill() restores the vectors into the sink, where the examples must have been
  // begun.
  void open(const std::string& settingsHash, Progress& progress);
  const ParkedFacts& facts() const { return m_facts; }
  const KeptState& state() const { return *m_state; }
  void fill(CaptureSink& sink, Progress& progress) const;

  // ParkedFacts::share as stated in a work folder, unchecked; 0 if there is no state.
  static double shareIn(const std::filesystem::path& workFolder);
  // Size of the files in bytes.
  static std::uint64_t bytesIn(const std::filesystem::path& workFolder);

 private:
  struct RowsFile {
    std::string name, checksum;
    GroupStep from, to;
  };
  // Head scores of a layer go with its first block.
  bool isFirstOfLayer(std::size_t block) const {
    return m_layout.scores &&
           (block == 0 || m_layout.blocks[block - 1].layer != m_layout.blocks[block].layer);
  }
  // Calls `visit` with each block and the examples whose vectors were completed between the steps.
  template <typename Visit>
  void forBlocks(const GroupStep& from, const GroupStep& to, Visit visit) const;
  std::uint64_t saveRows(const GroupStep& next, const CaptureSink& sink);

  std::filesystem::path m_folder;
  UnitLayout m_layout;
  ParkedFacts m_facts;
  std::vector<RowsFile> m_rows;
  std::unique_ptr<KeptState> m_state;
};

// ---- Their files: a safetensors file with its own checksum, written from tensors in several pieces without
// joining them in memory.

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
