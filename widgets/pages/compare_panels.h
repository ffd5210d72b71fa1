#pragma once
// List of the panels of a compare tab. To add a plot: a figure in core/figures, one line here, its line in
// widgets/export/many_study_figures.cpp, a help text in resources/help/views.json.
#include <QStringList>
#include <optional>
#include <vector>

#include "core/views/plot.h"
#include "widgets/compare/compare_model.h"

namespace plastiscope {

// Default places: a row for all heads, one for curves over position, one for numbers per model.
enum ComparePlace {
  HeadsPlace,
  ProfilesPlace,
  QuintilesPlace,
  DepthPlace,
  TrajectoryPlace,
  VariancePlace,
  NumbersPlace
};

struct ComparePanel {
  QString id, title;
  ComparePlace place;
  QString figure;            // figure for export; "" = none
  bool showsMetric = false;  // appends the name of the metric to the title
  QStringList nearby = {};   // figures without a panel, assigned to this one
  // Makes the plot; nullopt when the analyses lack its numbers. Null: the page makes the panel.
  std::optional<Plot> (*plot)(const CompareViews& views) = nullptr;
  // How its published numbers were read, "printed, digitised"; "" without any; null: never has any.
  std::string (*published)(const CompareViews& views) = nullptr;
};

// Panels made or updated by the page itself.
inline constexpr const char *kGridsPanel = "compareGridsDock", *kMapsPanel = "compareMapsDock",
                            *kDifferencePanel = "compareDifferenceDock", *kDriftPanel = "compareDriftDock",
                            *kProfilesPanel = "compareProfilesDock", *kNumbersPanel = "compareNumbersDock";
const std::vector<ComparePanel>& comparePanels();

}  // namespace plastiscope
