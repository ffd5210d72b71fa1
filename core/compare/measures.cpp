#include "core/compare/measures.h"

#include <numeric>

#include "core/analysis/columns.h"
#include "core/compare/spread.h"

namespace plastiscope {

std::vector<Measure> measuresOf(const Comparison& comparison) {
  std::vector<Measure> measures;
  for (std::size_t m = 0; m < comparison.metrics.size(); ++m) {
    measures.push_back({m, comparison.metrics[m], false});
    if (isHeavyTailed(comparison.metrics[m]))
      measures.push_back({m, comparison.metrics[m] + kMedianEnding, true});
  }
  return measures;
}

Measured measure(const ComparedModel& model, const Measure& what, const std::vector<std::size_t>& heads) {
  std::vector<double> values;
  for (const std::size_t head : heads) values.push_back(model.values[what.metric][head]);
  if (!what.median) {
    Measured result;
    result.value = meanOfPresent(values, &result.heads);
    return result;
  }
  const Spread spread = spreadOf(values);
  return {spread.median, spread.count};
}

std::vector<std::size_t> allHeads(const ComparedModel& model) {
  std::vector<std::size_t> heads(model.heads.size());
  std::iota(heads.begin(), heads.end(), std::size_t{0});
  return heads;
}

}  // namespace plastiscope
