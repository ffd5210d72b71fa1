#pragma once
// The words for what is compared: columns of heads.csv, and those of the reference tables that it has under
// other names.
#include <string>

#include "core/views/metric_info.h"

namespace plastiscope {

MetricInfo describeMeasure(const std::string& column);

}  // namespace plastiscope
