#pragma once
// Published numbers drawn beside own results: a thin line with open diamonds, or a level, named in the legend
// with how they were read.
#include <functional>

#include "core/compare/ghost.h"
#include "widgets/plots/panel.h"
#include "widgets/plots/plot_style.h"

namespace plastiscope {

// Draws y over `place`(x) in the coordinates of the panel; a missing value interrupts the line.
void drawPublished(QCPPainter& painter, const QCPAxisRect& rect, const GhostCurve& curve,
                   const std::function<double(double)>& place, const PlotStyle& style);
// One value as a level, for bars.
void drawPublishedLevel(QCPPainter& painter, double left, double right, double y, const PlotStyle& style);
// `window`: otherWindowText() where positions are shown.
LegendEntry publishedLevelEntry(const GhostCurve& curve, const QString& window, const PlotStyle& style);
LegendEntry publishedEntry(const GhostCurve& curve, const QString& window, const PlotStyle& style);

// Beside several models: each model's published numbers in its own colour, with one entry for all of them.
PlotStyle publishedStyle(const QColor& model, PlotStyle style);
LegendEntry publishedOfAllEntry(const PlotStyle& style, const QString& window = {});
LegendEntry publishedLevelOfAllEntry(const PlotStyle& style, const QString& window = {});

}  // namespace plastiscope
