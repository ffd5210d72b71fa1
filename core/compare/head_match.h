#pragma once
// Heads of models beside each other: which head of one model stands for a head of another, and their grids.
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/compare/comparison.h"
#include "core/views/head_grid_data.h"

namespace plastiscope {

// SameHead: all models have the same layers and heads, so that L12H6 is L12H6. RelativeDepth: the layer at
// the same share of the depth, the captured head at the same share of that layer's heads.
enum class HeadMatching { SameHead, RelativeDepth };

HeadMatching headMatchingOf(const Comparison& comparison);
// One sentence for people.
std::string headMatchingText(HeadMatching matching);
// Nothing when the matching layer has no captured head, or, with SameHead, when that head was not captured.
std::optional<HeadName> matchedHead(const ComparedModel& from, HeadName head, const ComparedModel& to,
                                    HeadMatching matching);
// The head of `from` whose match in `to` is `head`, or nearest to it; nothing when none has a match.
std::optional<HeadName> headMatchedBy(const ComparedModel& from, const ComparedModel& to, HeadName head,
                                      HeadMatching matching);

struct ComparedGrids {
  std::vector<std::shared_ptr<const HeadGridData>> grids;  // [models]; null where a model lacks the metric
  std::pair<double, double> range{0, 1};                   // of all values, symmetric for signed metrics
};
ComparedGrids compareGrids(const Comparison& comparison, const std::string& metric);

// `other` - `first`, head by head, on a range symmetric around 0; heads that either lacks count as not
// captured. Null when layers or heads differ in number.
std::shared_ptr<const HeadGridData> differenceGrid(const HeadGridData& first, const HeadGridData& other);

}  // namespace plastiscope
