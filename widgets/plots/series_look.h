#pragma once
// How the models of a comparison are told apart: the family's colour and marker, a shade for the next model
// of the same family, a dash for each. No sign stands alone. Private to widgets/plots.
#include <vector>

#include "core/compare/compared_profiles.h"
#include "widgets/plots/family_title.h"
#include "widgets/plots/panel.h"
#include "widgets/state/icons.h"

namespace plastiscope {

struct SeriesLook {
  QColor colour;
  Marker marker = Marker::Ring;
  bool hollow = false;
  QPen line;
};

// Without the owner of a repository ("Qwen/Qwen3-0.6B"), where the names stay different.
QStringList shownNames(const std::vector<ComparedName>& models);
// One look for all models of a family, where there are too many for one each.
SeriesLook familyLook(const std::string& family, const PlotStyle& style);
std::vector<LegendEntry> familyLegend(const std::vector<ComparedName>& models, const PlotStyle& style);
std::vector<SeriesLook> seriesLooks(const std::vector<ComparedName>& models, const PlotStyle& style);
void drawMarker(QPainter& painter, const SeriesLook& look, const QPointF& at, double size,
                const PlotStyle& style);
LegendEntry seriesEntry(const QString& name, const SeriesLook& look, const PlotStyle& style);
LegendEntry barEntry(const QString& name, const SeriesLook& look, const PlotStyle& style);

// A line through points in axis coordinates, missing values left open, with markers at most `apart` layout
// units from each other (0: one at every point).
void drawSeries(QCPPainter& painter, const QCPAxisRect& rect, const std::vector<double>& x,
                const std::vector<double>& y, const SeriesLook& look, const PlotStyle& style,
                double apart = 0);

// Entries in as many lines as they need in a share of the plot's width.
void addWrappedLegend(const FigurePlace& place, int row, int column, const PlotStyle& style,
                      std::vector<LegendEntry> entries, double share = 1);

}  // namespace plastiscope
