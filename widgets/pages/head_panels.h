#pragma once
// The views that draw the chosen head, each fed by StudyModel::headReady.
#include "widgets/pages/view_spec.h"

namespace plastiscope {
ViewPanel* makeProfilePanel(StudyModel& model, QWidget* parent);     // profile and quintiles
ViewPanel* makeMapPanel(StudyModel& model, QWidget* parent);         // plasticity map
ViewPanel* makeComponentsPanel(StudyModel& model, QWidget* parent);  // principal components
ViewPanel* makeTaxonomyPanel(StudyModel& model, QWidget* parent);    // r_q against r_k of all heads
ViewPanel* makeCloudPanel(StudyModel& model, QWidget* parent);       // rows in three axes
ViewPanel* makeWeightsPanel(StudyModel& model, QWidget* parent);     // drift weights per dimension
}  // namespace plastiscope
