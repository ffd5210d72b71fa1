#include "widgets/pages/compare_panels.h"

#include <QCoreApplication>

#include "core/compare/reference_data.h"
#include "core/figures/figures.h"

namespace plastiscope {

namespace {

QString panelTitle(const char* text) {
  return QCoreApplication::translate("ComparePanels", text);
}

Plot profiles(const CompareViews& views, CompareParts parts) {
  CompareOptions options;
  options.parts = parts;
  options.axis = views.choices.tokens ? PositionAxis::Tokens : PositionAxis::Share;
  options.intervals = views.choices.intervals;
  return comparePlot(views.profiles, options);
}

std::optional<Plot> profilesOnly(const CompareViews& views) {
  return profiles(views, CompareParts::Profiles);
}

std::optional<Plot> quintilesOnly(const CompareViews& views) {
  return profiles(views, CompareParts::Quintiles);
}

std::optional<Plot> depth(const CompareViews& views) {
  if (!views.depths) return {};
  return comparedDepthsPlot(*views.depths, {}, views.choices.intervals);
}

std::optional<Plot> checkpoints(const CompareViews& views) {
  if (views.checkpoints.series.empty()) return {};
  return checkpointsPlot(views.checkpoints, {}, views.choices.intervals);
}

std::optional<Plot> trajectory(const CompareViews& views) {
  if (views.trajectory.series.empty()) return {};
  return trajectoryPlot(views.trajectory, {}, views.choices.intervals);
}

std::optional<Plot> variance(const CompareViews& views) {
  return comparedSharesPlot(views.variance);
}

std::optional<Plot> classes(const CompareViews& views) {
  return comparedSharesPlot(views.classes);
}

std::optional<Plot> losses(const CompareViews& views) {
  if (views.losses.baseline() == nullptr) return {};
  return lossPlot(views.losses);
}

// How the published numbers of some models were read.
template <typename Model, typename CurveOf>
std::string publishedIn(const std::vector<Model>& models, CurveOf curveOf) {
  std::vector<std::string> sources;
  for (const Model& model : models) {
    const ReferenceCurve& curve = curveOf(model);
    if (!curve.empty()) sources.push_back(curve.source);
  }
  return joinedSources(sources);
}

std::string publishedIn(const TrajectoryData& data) {
  std::vector<std::string> sources;
  for (const TrajectorySeries& series : data.series)
    sources.push_back(publishedIn(
        series.published, [](const ReferenceCurve& curve) -> const ReferenceCurve& { return curve; }));
  std::erase(sources, std::string());
  return joinedSources(sources);
}

}  // namespace

const std::vector<ComparePanel>& comparePanels() {
  static const std::vector<ComparePanel> kPanels = {
      ComparePanel{kGridsPanel, panelTitle("Heads"), HeadsPlace, "head-grid", true},
      ComparePanel{kMapsPanel, panelTitle("Maps"), HeadsPlace, "map"},
      ComparePanel{kDifferencePanel, panelTitle("Difference"), HeadsPlace, "head-difference", true,
                   QStringList{"map-difference"}},
      ComparePanel{kDriftPanel, panelTitle("Drift"), HeadsPlace, "drift"},
      ComparePanel{kProfilesPanel, panelTitle("Profiles"), ProfilesPlace, "compare", false, QStringList(),
                   profilesOnly,
                   [](const CompareViews& views) {
                     return publishedIn(
                         views.profiles.models,
                         [](const auto& model) -> const ReferenceCurve& { return model.published; });
                   }},
      ComparePanel{"compareLossDock", panelTitle("Loss"), ProfilesPlace, "loss", false, QStringList(),
                   losses},
      ComparePanel{"compareQuintilesDock", panelTitle("Quintiles"), QuintilesPlace, "compare", false,
                   QStringList{"quintiles"}, quintilesOnly,
                   [](const CompareViews& views) {
                     return publishedIn(
                         views.profiles.models,
                         [](const auto& model) -> const ReferenceCurve& { return model.publishedQuintiles; });
                   }},
      ComparePanel{"compareDepthDock", panelTitle("By depth"), DepthPlace, "compare-depth", true,
                   QStringList{"depth-map"}, depth,
                   [](const CompareViews& views) {
                     return publishedIn(
                         views.depths.value_or(ComparedDepths()).models,
                         [](const auto& model) -> const ReferenceCurve& { return model.published; });
                   }},
      ComparePanel{"compareTrajectoryDock", panelTitle("Trajectory"), TrajectoryPlace, "trajectory", false,
                   QStringList(), checkpoints,
                   [](const CompareViews& views) { return publishedIn(views.checkpoints); }},
      ComparePanel{"compareMetricDock", panelTitle("By model"), TrajectoryPlace, "trajectory", true,
                   QStringList{"compare-bars"}, trajectory,
                   [](const CompareViews& views) { return publishedIn(views.trajectory); }},
      ComparePanel{"compareVarianceDock", panelTitle("Variance"), VariancePlace, "compare-variance", false,
                   QStringList{"signal", "compare-signal"}, variance},
      ComparePanel{"compareClassesDock", panelTitle("Classes"), VariancePlace, "compare-taxonomy", false,
                   QStringList{"head-scatter"}, classes},
      ComparePanel{kNumbersPanel, panelTitle("Numbers"), NumbersPlace, ""},
  };
  return kPanels;
}

}  // namespace plastiscope
