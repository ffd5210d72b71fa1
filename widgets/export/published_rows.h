#pragma once
// The published numbers of a figure among its plotted numbers.
#include <functional>
#include <string>

#include "core/base/table.h"
#include "core/compare/ghost.h"

namespace plastiscope {

// One row a point of the curve: its name in column `series`, place(x) in `x`, y in `y`, nothing in the other
// columns.
Table withPublished(Table table, const GhostCurve& curve, const std::string& x, const std::string& y,
                    const std::function<double(double)>& place);

}  // namespace plastiscope
