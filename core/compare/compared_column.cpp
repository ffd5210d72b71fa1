#include "core/compare/compared_column.h"

#include <algorithm>

#include "core/compare/measure_info.h"

namespace plastiscope {

ComparedColumn comparedColumn(const Comparison& comparison, const std::string& name) {
  const std::size_t index = comparison.metric(name);
  ComparedColumn found{describeMeasure(name), usesMedian(name), {}, modelIntervals(comparison, name), {}};
  for (const ComparedModel& model : comparison.models) {
    found.values.push_back(model.values[index]);
    found.intervals.push_back(modelInterval(*model.analysis, model.values[index], name, found.over));
  }
  return found;
}

IntervalOver modelIntervals(const Comparison& comparison, const std::string& column) {
  const bool examples = std::all_of(
      comparison.models.begin(), comparison.models.end(),
      [&](const auto& model) { return modelIntervals(*model.analysis, column) == IntervalOver::Examples; });
  return examples ? IntervalOver::Examples : usesMedian(column) ? IntervalOver::None : IntervalOver::Heads;
}

}  // namespace plastiscope
