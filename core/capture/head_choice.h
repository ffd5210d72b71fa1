#pragma once
// Which heads are captured (method.md 1.4).
#include <cstdint>
#include <string>
#include <vector>

#include "core/capture/capture_plan.h"
#include "core/model/model_spec.h"

namespace plastiscope {

struct HeadName {
  std::int64_t layer = 0, head = 0;
  bool operator==(const HeadName&) const = default;
  auto operator<=>(const HeadName&) const = default;
  std::string text() const;  // "L12H6"
};

// "L12H6,L3H0-7" -> heads, ascending, without repeats. UsageError names the part that is not understood.
std::vector<HeadName> parseHeadList(const std::string& text);
// "0-5,9"
std::vector<std::int64_t> parseLayerList(const std::string& text);

// What --heads says: "all", a count, "stratified:N", or a list. UsageError when it is none of them.
struct HeadRequest {
  enum class Kind { All, Count, Stratified, List } kind = Kind::All;
  std::int64_t count = 0;       // Count and Stratified
  std::vector<HeadName> heads;  // List
};
HeadRequest parseHeadRequest(const std::string& text);

// Python's random.Random(seed).sample(range(n), count), bit for bit (method.md 1.4).
std::vector<std::int64_t> pythonSample(std::uint64_t seed, std::int64_t n, std::int64_t count);

// UsageError unless the model has every head and its layer has vectors.
void requireHeads(const std::vector<HeadName>& heads, const ModelSpec& spec);

// The query heads of a plan, ascending by (layer, head). UsageError when none remains, or a listed head is
// not there or its layer is not eligible.
std::vector<HeadName> chooseHeads(const CapturePlan& plan, const ModelSpec& spec);
// The key heads that belong to them: per layer the union of head / group, ascending.
std::vector<HeadName> keyHeadsOf(const std::vector<HeadName>& queryHeads, const ModelSpec& spec);

}  // namespace plastiscope
