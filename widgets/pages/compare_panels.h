#pragma once
// The panels of a compare tab, in one list. To add a picture: a figure in core/figures, one line here, its
// line in widgets/export/figure_kinds.cpp, a help text in resources/help/views.json.
#include <QStringList>
#include <optional>
#include <vector>

#include "core/views/plot.h"
#include "widgets/compare/compare_model.h"

namespace plastiscope {

// Where panels stand at first: a row of all heads, one of curves over the position, one of numbers a model.
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
  QString figure;            // what export draws for it; "" = none
  bool showsMetric = false;  // the chosen metric's name follows the title
  QStringList nearby = {};   // figures without a panel of their own, to which this one comes nearest
  // What to draw; nothing when the analyses have no such numbers. Null: the page makes the panel.
  std::optional<Plot> (*plot)(const CompareViews& views) = nullptr;
  // How the published numbers in it were read, "printed, digitised"; "" without any; null: never has any.
  std::string (*published)(const CompareViews& views) = nullptr;
};

// Those that the page makes, or looks after.
inline constexpr const char *kGridsPanel = "compareGridsDock", *kMapsPanel = "compareMapsDock",
                            *kDifferencePanel = "compareDifferenceDock", *kDriftPanel = "compareDriftDock",
                            *kProfilesPanel = "compareProfilesDock", *kNumbersPanel = "compareNumbersDock";
const std::vector<ComparePanel>& comparePanels();

}  // namespace plastiscope
