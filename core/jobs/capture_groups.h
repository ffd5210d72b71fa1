#pragma once
// Groups examples that run together and predicts the memory of a group. Grouping changes speed and memory,
// never results.
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "core/jobs/capture_setup.h"

namespace plastiscope {

using CaptureGroup = std::vector<std::int64_t>;  // running numbers of examples

class GroupPlanner {
 public:
  explicit GroupPlanner(const CaptureSetup& setup);

  std::int64_t tokens(std::int64_t example) const;
  std::int64_t tokens(const CaptureGroup& group) const;
  TextSize size(std::int64_t tokens) const;
  double flops(std::int64_t example) const;
  double flops(const CaptureGroup& group) const;
  // Memory of this process in bytes while the group runs, or a group of one text with that many tokens.
  std::uint64_t memory(const CaptureGroup& group) const;
  std::uint64_t memoryOfText(std::int64_t tokens) const;
  // GPU memory in bytes, if the forward pass runs on a GPU.
  std::uint64_t gpuMemory(const CaptureGroup& group, const DeviceMemory& room) const;
  // Disk space in bytes of a half-finished group: the state of its next step, written while the previous one
  // exists, and all vectors taken.
  std::uint64_t stateBytes(const CaptureGroup& group) const;
  std::uint64_t parkedBytes(const CaptureGroup& group) const;

  // The first examples of `remaining` that have `enoughTokens` together and stay below `memoryLimit`; at
  // least one, even above the limit.
  CaptureGroup first(std::span<const std::int64_t> remaining, std::int64_t enoughTokens,
                     std::uint64_t memoryLimit) const;
  // Number of tokens from which computing takes longer than loading a layer.
  std::int64_t enoughTokens() const;
  // All groups of `remaining`.
  std::vector<CaptureGroup> all(const std::vector<std::int64_t>& remaining, std::uint64_t memoryLimit,
                                Progress& progress) const;

 private:
  // Resources of an example of one length.
  struct Text {
    double rows = 0, unitBytes = 0, flops = 0;
    ForwardMemory forward;  // of this example alone
  };
  const Text& text(std::int64_t tokens) const;
  ForwardMemory forwardOf(const GroupSize& size) const;
  // Quantities that grow with the examples of a group.
  struct Sum {
    GroupSize size;
    double units = 0, largestUnit = 0, mostRows = 0;
  };
  void add(std::int64_t tokens, Sum& sum) const;
  double takenBytes(const Sum& sum) const;
  std::uint64_t memory(const Sum& sum) const;

  const CaptureSetup& m_setup;
  std::uint64_t m_tokenBytes = 0;  // of all examples
  std::uint64_t m_perToken = 0;    // of the forward pass, for each further text
  double m_rowBytes = 0;           // of a row's float32 vectors, in the layer with the most
  double m_denseRowBytes = 0;      // the same for dense heads
  double m_lastShare = 0;          // share of a unit's bytes in the last layer
  mutable std::unordered_map<std::int64_t, Text> m_texts;
};

// Whether the longest text and two layers' weights fit into the limit.
bool fitsReadingAhead(const CaptureSetup& setup, std::uint64_t memoryLimit);

// The requested limit, or 80 % of the free memory.
std::uint64_t memoryLimitOf(const CaptureRequest& request);

// The largest window that fits; 0 if none does.
std::int64_t fittingWindow(const CaptureSetup& setup, std::uint64_t memoryLimit);

// Disk space in bytes for units, a half-finished group and the sealed file together, at most.
std::uint64_t diskNeed(const CaptureSetup& setup, const std::vector<CaptureGroup>& groups);
// Approximate size of the sealed file in bytes.
std::uint64_t sealedBytes(const CaptureSetup& setup);

}  // namespace plastiscope
