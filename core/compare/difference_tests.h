#pragma once
// Differences between compared models, tested over their texts (text_inference.h).
#include <optional>
#include <string>
#include <vector>

#include "core/compare/comparison.h"
#include "core/compare/text_inference.h"

namespace plastiscope {

// 0.02 for AP; nothing for metrics without a margin.
std::optional<double> marginOf(const std::string& metric, const ComparisonOptions& options);

// Of these heads of a model, as they are given; NaN where it does not have one.
std::vector<TextValue> textValues(const ComparedModel& model, const std::string& metric,
                                  const std::vector<HeadName>& heads);

// Whether binned values of plasticity, which depend on the width of their bins, have other bins in each.
bool hasOtherBins(const ComparedModel& first, const ComparedModel& other, const std::string& metric);
inline constexpr const char* kOtherBins = "not comparable: bins";
// What to do about that, and about metrics without an interval over texts; "" where there is nothing to do.
std::string otherBinsText(const Comparison& comparison);
std::string untestedText(const Comparison& comparison);

}  // namespace plastiscope
