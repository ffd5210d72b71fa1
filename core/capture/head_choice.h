#pragma once
// Chooses the heads that are captured (method.md, Head choice).
#include <cstdint>
#include <vector>

#include "core/capture/capture_request.h"
#include "core/capture/head_list.h"

namespace plastiscope {

// Python's random.Random(seed).sample(range(n), count), bit for bit.
std::vector<std::int64_t> pythonSample(std::uint64_t seed, std::int64_t n, std::int64_t count);

// The query heads of a plan, ascending by (layer, head). UsageError when none remains, or a listed head is
// not there or its layer is not eligible.
std::vector<HeadName> chooseHeads(const CapturePlan& plan, const ModelSpec& spec);
// Those of them that are kept at every position too, ascending. UsageError when a listed head is not chosen.
std::vector<HeadName> chooseDenseHeads(const CapturePlan& plan, const std::vector<HeadName>& chosen);
// The key heads that belong to them: per layer the union of head / group, ascending.
std::vector<HeadName> keyHeadsOf(const std::vector<HeadName>& queryHeads, const ModelSpec& spec);

}  // namespace plastiscope
