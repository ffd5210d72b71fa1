#pragma once
// Which examples run together, and what a group needs. Grouping changes speed and memory, never results.
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
  // Bytes of this process while the group runs, or a group of one text of that many tokens.
  std::uint64_t memory(const CaptureGroup& group) const;
  std::uint64_t memoryOfText(std::int64_t tokens) const;
  // The card's, where the forward pass runs on one.
  std::uint64_t cardMemory(const CaptureGroup& group, const DeviceRoom& room) const;
  // Bytes on disk of a group that is half done: the state of its next step, beside which its successor is
  // written, and all vectors that were taken.
  std::uint64_t stateBytes(const CaptureGroup& group) const;
  std::uint64_t parkedBytes(const CaptureGroup& group) const;

  // The first examples of `remaining` until they have `enoughTokens`, as long as they stay below
  // `memoryLimit`; at least one, also when that alone is above the limit.
  CaptureGroup first(std::span<const std::int64_t> remaining, std::int64_t enoughTokens,
                     std::uint64_t memoryLimit) const;
  // Tokens from which on the loading of a layer is hidden.
  std::int64_t enoughTokens() const;
  // All of `remaining`, group by group.
  std::vector<CaptureGroup> all(const std::vector<std::int64_t>& remaining, std::uint64_t memoryLimit,
                                Progress& progress) const;

 private:
  // What examples of one length need.
  struct Text {
    double rows = 0, unitBytes = 0, flops = 0;
    ForwardMemory forward;  // of one alone
  };
  const Text& text(std::int64_t tokens) const;
  ForwardMemory forwardOf(const GroupSize& size) const;
  // What grows with the examples of a group.
  struct Sum {
    GroupSize size;
    double units = 0, largestUnit = 0, mostRows = 0;
  };
  void add(std::int64_t tokens, Sum& sum) const;
  double takenBytes(const Sum& sum) const;
  std::uint64_t memory(const Sum& sum) const;

  const CaptureSetup& m_setup;
  std::uint64_t m_tokenBytes = 0;  // of all examples
  std::uint64_t m_perToken = 0;    // of the forward pass, by which further texts make it more
  double m_rowBytes = 0;           // of the float32 vectors of a row, in the layer with the most
  double m_denseRowBytes = 0;      // the same of heads that are kept at every position
  double m_lastShare = 0;          // of a unit's bytes, in the last layer
  mutable std::unordered_map<std::int64_t, Text> m_texts;
};

// Whether the longest text and two layers' weights fit.
bool fitsReadingAhead(const CaptureSetup& setup, std::uint64_t memoryLimit);

// 80 % of the memory that is free now, or what was asked for.
std::uint64_t memoryLimitOf(const CaptureRequest& request);

// The largest window that fits, 0 when none does.
std::int64_t fittingWindow(const CaptureSetup& setup, std::uint64_t memoryLimit);

// Bytes that units, a half done group and the sealed file take together at most.
std::uint64_t diskNeed(const CaptureSetup& setup, const std::vector<CaptureGroup>& groups);
// About, of the sealed file alone.
std::uint64_t sealedBytes(const CaptureSetup& setup);

}  // namespace plastiscope
