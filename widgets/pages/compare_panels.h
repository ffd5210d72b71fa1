#pragma once
// The panels of a compare tab, in one list. To add a picture: a builder in widgets/plots, one line here, its
// figure in widgets/export/figure_kinds.cpp, a help text in resources/help/views.json.
#include <QStringList>
#include <vector>

#include "widgets/compare/compare_model.h"
#include "widgets/plots/figure_view.h"

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
  FigureView::Build (*build)(const CompareViews& views) = nullptr;
  std::vector<FigureTip> (*tips)(const CompareViews& views) = nullptr;  // under the mouse; null = none
  // How the published numbers in it were read, "printed, digitised"; "" without any; null: never has any.
  std::string (*published)(const CompareViews& views) = nullptr;
};

// Those that the page makes, or looks after.
inline constexpr const char *kGridsPanel = "compareGridsDock", *kMapsPanel = "compareMapsDock",
                            *kDifferencePanel = "compareDifferenceDock", *kDriftPanel = "compareDriftDock",
                            *kProfilesPanel = "compareProfilesDock", *kNumbersPanel = "compareNumbersDock";
const std::vector<ComparePanel>& comparePanels();

}  // namespace plastiscope
