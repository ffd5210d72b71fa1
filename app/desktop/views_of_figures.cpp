#include "app/desktop/views_of_figures.h"

#include <algorithm>

#include "app/desktop/view_catalogue.h"
#include "widgets/export/thesis_figures.h"
#include "widgets/pages/compare_panels.h"

namespace plastiscope {

namespace {

struct Place {
  const char *figure, *view;
};

// Figures without a view of their own, and the view that comes nearest.
constexpr Place kModelTab[] = {{"profile", "profileDock"},         {"quintiles", "profileDock"},
                               {"pca-scatter", "planeDock"},       {"complement", "planeDock"},
                               {"depth", "headGridDock"},          {"depth-map", "headGridDock"},
                               {"density", "headTableDock"},       {"head-scatter", "taxonomy"},
                               {"component-signal", "components"}, {"component-variance", "components"}};
constexpr Place kCompareTab[] = {{"map", "compareMapsDock"},
                                 {"head-grid", "compareGridsDock"},
                                 {"depth-map", "compareDepthDock"},
                                 {"compare-bars", "compareMetricDock"},
                                 {"signal", "compareVarianceDock"},
                                 {"compare-signal", "compareVarianceDock"},
                                 {"head-scatter", "compareClassesDock"},
                                 {"quintiles", "compareQuintilesDock"}};

template <typename List>
QString placeIn(const List& list, const std::string& figure) {
  for (const Place& place : list) {
    if (figure == place.figure) return QString::fromLatin1(place.view);
  }
  return {};
}

}  // namespace

std::string drawnAs(const std::string& figure) {
  for (const ThesisFigure& thesis : thesisFigures()) {
    if (figure == thesis.id) return thesis.kind;
  }
  return figure;
}

QString viewOfModelTab(const std::string& figure) {
  const std::string kind = drawnAs(figure);
  for (const ViewSpec& view : viewCatalogue()) {
    if (view.figure.toStdString() == kind) return view.id;
  }
  const QString near = placeIn(kModelTab, kind);
  return near.isEmpty() ? QStringLiteral("headGridDock") : near;
}

QString dockOfCompareTab(const FigureSpec& figure) {
  const std::string kind = drawnAs(figure.figure);
  for (const ComparePanel& panel : comparePanels()) {
    if (panel.figure.toStdString() == kind && panel.showsMetric == !figure.metric.empty()) return panel.id;
  }
  for (const ComparePanel& panel : comparePanels()) {
    if (panel.figure.toStdString() == kind) return panel.id;
  }
  const QString near = placeIn(kCompareTab, kind);
  return near.isEmpty() ? QStringLiteral("compareProfilesDock") : near;
}

}  // namespace plastiscope
