#pragma once
// Which head of one model stands beside a head of another.
#include <optional>
#include <string>

#include "core/compare/comparison.h"

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

}  // namespace plastiscope
