#pragma once
// The views in which a person looks closer at one head: rows, key pairs, one query position, what if.
#include "widgets/pages/view_spec.h"

namespace plastiscope {
ViewPanel* makePlanePanel(StudyModel& model, QWidget* parent);     // {a, b} plane, with the words of a row
ViewPanel* makeRowsPanel(StudyModel& model, QWidget* parent);      // selected rows, key pairs behind a cell
ViewPanel* makeWhatIfPanel(StudyModel& model, QWidget* parent);    // sliders that change the head
ViewPanel* makeScrubberPanel(StudyModel& model, QWidget* parent);  // query position, spread of PP
}  // namespace plastiscope
