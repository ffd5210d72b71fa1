#include "core/views/head_axis.h"

#include <cmath>
#include <limits>

#include "core/views/table_reading.h"

namespace plastiscope {

std::vector<double> axisOf(const Table& axes, HeadName head, const std::string& name, std::int64_t headDim) {
  const HeadColumns heads(axes);
  const NumberColumn dimension(axes, "dimension"), value(axes, "value");
  const auto& names = textColumn(axes, "axis");
  std::vector<double> axis(static_cast<std::size_t>(headDim), std::numeric_limits<double>::quiet_NaN());
  for (std::size_t row = 0; row < axes.rows(); ++row) {
    if (names[row] != name || heads[row] != head) continue;
    axis[static_cast<std::size_t>(dimension.index(row, headDim))] = value[row];
  }
  for (const double component : axis) {
    if (!std::isfinite(component)) return {};
  }
  return axis;
}

}  // namespace plastiscope
