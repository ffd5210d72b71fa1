#pragma once
// Parses lists of heads and layers: "L12H6,L3H0-7" and "0-5,9". A range selects the members that exist; a
// single name must exist, and so must at least one member of a range.
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/capture/capture_request.h"
#include "core/model/model_spec.h"

namespace plastiscope {

struct HeadName {
  std::int64_t layer = 0, head = 0;
  bool operator==(const HeadName&) const = default;
  auto operator<=>(const HeadName&) const = default;
  std::string text() const;  // "L12H6"
};

struct NumberRange {
  std::int64_t first = 0, last = 0;  // both included
  bool single() const { return first == last; }
};
struct HeadRange {
  std::int64_t layer = 0;
  NumberRange heads;
};

// The ranges as written. UsageError names the part that cannot be parsed.
std::vector<HeadRange> parseHeadRanges(const std::string& text);
std::vector<NumberRange> parseLayerRanges(const std::string& text);

// All members, ascending, without repeats. UsageError as above.
std::vector<HeadName> parseHeadList(const std::string& text);
std::vector<std::int64_t> parseLayerList(const std::string& text);

// The head with that name; nothing for ranges and other texts.
std::optional<HeadName> headNamed(const std::string& text);

// The shortest list of these heads (ascending, without repeats): "L3H0-7,L12H6".
std::string headListText(std::span<const HeadName> heads);

// The members of a list among the heads or layers `there`, ascending, without repeats. UsageError such as
// "head L3H9 was not captured"; `done` is its last word.
std::vector<HeadName> headsMeant(const std::string& list, std::span<const HeadName> there,
                                 const std::string& done = "captured");
std::vector<std::int64_t> layersMeant(const std::string& list, std::span<const std::int64_t> there);
// The members of a list among all heads of a model. UsageError as requireHeads().
std::vector<HeadName> headsMeant(const std::string& list, const ModelSpec& spec);

// UsageError unless the model has every head and its layer has vectors.
void requireHeads(const std::vector<HeadName>& heads, const ModelSpec& spec);

// Value of --heads: "all", a count, "stratified:N", or a list. UsageError otherwise.
struct HeadRequest {
  enum class Kind { All, Count, Stratified, List } kind = Kind::All;
  std::int64_t count = 0;  // Count and Stratified
};
HeadRequest parseHeadRequest(const std::string& text);

// ---- Chooses the heads that are captured (method.md, Head choice).

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
