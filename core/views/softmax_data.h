#pragma once
// Pairwise and softmax plasticity over query position, and where the attention goes (method.md, Softmax by
// position), for one head or as a mean over heads captured at every position.
#include <string>
#include <vector>

#include "core/analysis/softmax_positions.h"
#include "core/views/placement_data.h"

namespace plastiscope {

struct SoftmaxCurve {
  std::vector<double> value, low, high;  // [bins]; NaN = missing
};

struct SoftmaxData {
  std::vector<double> tau;  // midpoints of the bins, tokens, ascending
  BySoftmaxValue<SoftmaxCurve> curves;
  std::vector<std::int64_t> queries;  // [bins] evaluated
  std::int64_t window = 0;            // tokens
  std::int64_t examples = 0;          // in the capture; 0 = unknown
  IntervalOver over = IntervalOver::None;
  SplitPart correlation;  // of PP and SP over the bins of a head
  std::string scopeText;
  const SoftmaxCurve& of(SoftmaxValue value) const { return curves[static_cast<std::size_t>(value)]; }
};

// Reads the table softmax, and pp_sp_correlation of heads. InputError if no head of the scope is in it.
SoftmaxData makeSoftmax(const AnalysisFile& analysis, const HeadScope& scope);
Table tableOf(const SoftmaxData& data);  // tau, queries, and every value with its interval

}  // namespace plastiscope
