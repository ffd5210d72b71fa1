#pragma once
#include "widgets/pages/view_spec.h"

namespace plastiscope {
// The head table with its filter; shares the selection, and fades what the filter leaves out in the grid.
ViewPanel* makeTablePanel(StudyModel& model, QWidget* parent);
}  // namespace plastiscope
