#pragma once
// Models as places of an axis, and values with their unit on the other. Private to widgets/plots.
#include <optional>
#include <utility>
#include <vector>

#include "core/compare/compared_profiles.h"
#include "core/views/metric_info.h"
#include "widgets/plots/panel.h"

namespace plastiscope {

// Models at 0, 1, ... with their names, without what all of them begin with; slanted where many or long ones
// would touch.
void nameModels(QCPAxis& axis, const std::vector<ComparedName>& models);
void hideNames(QCPAxis& axis);  // the places stay

// Which values an axis shows, the power of ten that its labels leave out, and its title.
struct ValueAxis {
  double low = 0, high = 1;
  int power = 0;
  QString title;
};
// `fromZero`: bars. Signed metrics keep zero inside.
ValueAxis valueAxis(const MetricInfo& metric, const std::vector<double>& values, bool fromZero,
                    std::optional<std::pair<double, double>> range);
void useValues(QCPAxis& axis, const ValueAxis& values);

}  // namespace plastiscope
