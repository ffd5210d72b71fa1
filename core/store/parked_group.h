#pragma once
// A group of examples that is on its way through the layers, in parked/ of the work folder: state.safetensors
// holds what the next step needs, rows-NNNNNN.safetensors the vectors that were taken between two states.
// Each file states the checksum of itself; the state lists the files of rows that belong to it, so a file
// that a crash left behind is never taken for one of them (resources/help/capture-format.md).
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/base/progress.h"
#include "core/capture/capture_unit.h"
#include "core/forward/group_watch.h"

namespace plastiscope {

// What ties a state to its capture.
struct ParkedFacts {
  std::string settingsHash;
  std::vector<std::int64_t> examples;  // of the group, in its order
  double share = 0;                    // of all tokens of the capture, that finished units and the state hold
};

class ParkedGroup {
 public:
  // Of the work folder of one output. Nothing is read or made.
  ParkedGroup(std::filesystem::path workFolder, UnitLayout layout);

  // Durable when it returns. `sink` has the vectors of all steps before state.next; those that earlier calls
  // wrote are not written again. Bytes that were written. The previous state stays as it was when this fails
  // (ResourceError, InputError).
  std::uint64_t save(const ParkedFacts& facts, const GroupState& state, const CaptureSink& sink);
  void remove();  // state and rows: the next state is that of another group

  // Whether there is a state, good or bad.
  bool exists() const;
  // Checks everything against its checksums; InputError, Stopped. Afterwards facts() and state() are those of
  // the file, and fill() gives the sink what it took, for which the examples must have been begun.
  void open(const std::string& settingsHash, Progress& progress);
  const ParkedFacts& facts() const { return m_facts; }
  const KeptState& state() const { return *m_state; }
  void fill(CaptureSink& sink, Progress& progress) const;

  // The share of the state in that work folder as it says itself, unchecked; 0 when there is none.
  static double shareIn(const std::filesystem::path& workFolder);
  // Bytes that its files have.
  static std::uint64_t bytesIn(const std::filesystem::path& workFolder);

 private:
  struct RowsFile {
    std::string name, checksum;
    GroupStep from, to;
  };
  // Calls with the block and the examples whose vectors the steps between completed.
  template <typename Visit>
  void forBlocks(const GroupStep& from, const GroupStep& to, Visit visit) const;
  std::uint64_t saveRows(const GroupStep& next, const CaptureSink& sink);

  std::filesystem::path m_folder;
  UnitLayout m_layout;
  ParkedFacts m_facts;
  std::vector<RowsFile> m_rows;
  std::unique_ptr<KeptState> m_state;
};

}  // namespace plastiscope
