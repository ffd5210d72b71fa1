#pragma once
// The head grids of several models on one colour range, and the difference of two of the same shape.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/compare/comparison.h"
#include "core/views/head_grid_data.h"

namespace plastiscope {

struct ComparedGrids {
  std::vector<std::shared_ptr<const HeadGridData>> grids;  // [models]; null where a model lacks the metric
  std::pair<double, double> range{0, 1};                   // of all values, symmetric for signed metrics
};
ComparedGrids compareGrids(const Comparison& comparison, const std::string& metric);

// `other` - `first`, head by head, on a range symmetric around 0; heads that either lacks count as not
// captured. Null when layers or heads differ in number.
std::shared_ptr<const HeadGridData> differenceGrid(const HeadGridData& first, const HeadGridData& other);

}  // namespace plastiscope
