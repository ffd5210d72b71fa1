#pragma once
// Tests differences between compared models over their texts (text_inference.h).
#include <optional>
#include <string>
#include <vector>

#include "core/compare/comparison.h"
#include "core/compare/text_inference.h"

namespace plastiscope {

// Equivalence margin: 0.02 for AP; nothing for metrics without one.
std::optional<double> marginOf(const std::string& metric, const ComparisonOptions& options);

// Values of these heads of a model, in order; NaN for heads it does not have.
std::vector<TextValue> textValues(const ComparedModel& model, const std::string& metric,
                                  const std::vector<HeadName>& heads);

// Whether a binned metric of plasticity has different bins in the two models; its values depend on bin width.
bool hasOtherBins(const ComparedModel& first, const ComparedModel& other, const std::string& metric);
inline constexpr const char* kOtherBins = "not comparable: bins";
// Advice for models with different bins and metrics without an interval over texts; "" if there is none.
std::string otherBinsText(const Comparison& comparison);
std::string untestedText(const Comparison& comparison);

}  // namespace plastiscope
