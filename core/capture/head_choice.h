#pragma once
// Chooses the heads that are captured (method.md, Head choice).
#include <cstdint>
#include <vector>

#include "core/capture/capture_request.h"
#include "core/capture/head_list.h"

namespace plastiscope {

// Python's random.Random(seed).sample(range(n), count), bit for bit.
std::vector<std::int64_t> pythonSample(std::uint64_t seed, std::int64_t n, std::int64_t count);

// The query heads that a plan chooses, ascending by (layer, head). UsageError if none remains, or a listed
// head does not exist or lies in a layer that is not eligible.
std::vector<HeadName> chooseHeads(const CapturePlan& plan, const ModelSpec& spec);
// The dense heads among the chosen ones, ascending. UsageError if a listed head is not chosen.
std::vector<HeadName> chooseDenseHeads(const CapturePlan& plan, const std::vector<HeadName>& chosen);
// The key heads of these query heads: per layer the distinct values of head / group, ascending.
std::vector<HeadName> keyHeadsOf(const std::vector<HeadName>& queryHeads, const ModelSpec& spec);

}  // namespace plastiscope
