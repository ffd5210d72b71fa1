#pragma once
// Lists of heads and layers such as "L12H6,L3H0-7" and "0-5,9". A range means what is there of it; a single
// head or layer, and a range of which nothing is there, must be there.
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/capture/head_choice.h"

namespace plastiscope {

struct NumberRange {
  std::int64_t first = 0, last = 0;  // both are meant
  bool single() const { return first == last; }
};
struct HeadRange {
  std::int64_t layer = 0;
  NumberRange heads;
};

// As written, without counting them out. UsageError names the part that is not understood.
std::vector<HeadRange> parseHeadRanges(const std::string& text);
std::vector<NumberRange> parseLayerRanges(const std::string& text);

// What a list means among the heads or layers `there`: ascending, without repeats. UsageError: "head L3H9 was
// not captured"; `done` is what the heads there were ("captured").
std::vector<HeadName> headsMeant(const std::string& list, std::span<const HeadName> there,
                                 const std::string& done = "captured");
std::vector<std::int64_t> layersMeant(const std::string& list, std::span<const std::int64_t> there);
// The same among all heads of a model. UsageError as requireHeads.
std::vector<HeadName> headsMeant(const std::string& list, const ModelSpec& spec);

}  // namespace plastiscope
