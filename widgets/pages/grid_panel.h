#pragma once
#include "widgets/pages/view_spec.h"

namespace plastiscope {
// The head grid: layers x heads, coloured by the chosen metric.
ViewPanel* makeGridPanel(StudyModel& model, QWidget* parent);
}  // namespace plastiscope
