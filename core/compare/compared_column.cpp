#include "core/compare/compared_column.h"

#include "core/compare/measure_info.h"

namespace plastiscope {

bool usesMedian(const std::string& column) {
  return column == "slope_ratio";
}

ComparedColumn comparedColumn(const Comparison& comparison, const std::string& name) {
  const std::size_t index = comparison.metric(name);
  ComparedColumn found{describeMeasure(name), usesMedian(name), {}};
  for (const ComparedModel& model : comparison.models) found.values.push_back(model.values[index]);
  return found;
}

}  // namespace plastiscope
