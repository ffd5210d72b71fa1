#pragma once
// Differences between compared models, tested over their texts (text_inference.h).
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/compare/comparison.h"
#include "core/compare/text_inference.h"

namespace plastiscope {

// 0.02 for AP; nothing for metrics without a margin.
std::optional<double> marginOf(const std::string& metric, const ComparisonOptions& options);

// Heads of two models, by their indices.
using HeadPairs = std::vector<std::pair<std::size_t, std::size_t>>;
HeadPairs pairedHeads(const ComparedModel& first, const ComparedModel& other);  // of the same name
// [pairs] `other` less `first`.
std::vector<TextDifference> headDifferences(const ComparedModel& first, const ComparedModel& other,
                                            const std::string& metric, const HeadPairs& pairs);
// Of the means, or medians, over all own heads.
TextDifference meanDifference(const ComparedModel& first, const ComparedModel& other,
                              const std::string& metric, bool median = false);

// Whether binned values of plasticity, which depend on the width of their bins, have other bins in each.
bool hasOtherBins(const ComparedModel& first, const ComparedModel& other, const std::string& metric);
inline constexpr const char* kOtherBins = "not comparable: bins";
// "binned AP is not comparable: bins is 16 in a, 40 in c; ..."; "" where all have the same.
std::string otherBinsText(const Comparison& comparison);
// Why metrics have no interval over texts, and what to do; "" where all have one.
std::string untestedText(const Comparison& comparison);

}  // namespace plastiscope
