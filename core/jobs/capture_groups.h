#pragma once
// Which examples run together, and what a group needs. Grouping changes speed and memory, never results.
#include <cstdint>
#include <vector>

#include "core/jobs/capture_setup.h"

namespace plastiscope {

// Bytes of this process while the group runs.
std::uint64_t groupMemory(const CaptureSetup& setup, const std::vector<std::int64_t>& group);
double groupFlops(const CaptureSetup& setup, const std::vector<std::int64_t>& group);

// Consecutive examples of `remaining` packed until a group has enough tokens to hide the loading of a layer,
// as long as it stays below `memoryLimit`; a group has at least one example, also when that alone is above
// the limit.
std::vector<std::vector<std::int64_t>> packGroups(const CaptureSetup& setup,
                                                  const std::vector<std::int64_t>& remaining,
                                                  std::uint64_t memoryLimit);

// 80 % of the memory that is free now, or what was asked for.
std::uint64_t memoryLimitOf(const CaptureRequest& request);

// The largest window that fits, 0 when none does.
std::int64_t fittingWindow(const CaptureSetup& setup, std::uint64_t memoryLimit);

// Bytes that units and the sealed file take together.
std::uint64_t diskNeed(const CaptureSetup& setup, const std::vector<std::int64_t>& remaining);
// About, of the sealed file alone.
std::uint64_t sealedBytes(const CaptureSetup& setup);

}  // namespace plastiscope
