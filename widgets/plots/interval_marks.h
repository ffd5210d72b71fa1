#pragma once
// How 95 % intervals of means look, and what legends say of them: a band along a line, a whisker at a point.
// Private to widgets/plots.
#include <cstdint>
#include <vector>

#include "core/views/head_interval.h"
#include "widgets/plots/panel.h"

namespace plastiscope {

// Between the ends, where both are known; `colour`: of the line it belongs to.
void drawBand(QCPPainter& painter, const QCPAxisRect& rect, const std::vector<double>& x,
              const std::vector<double>& low, const std::vector<double>& high, const QColor& colour,
              const PlotStyle& style);
// At `x` (of the plot, not of the axis) from low to high with a cap at each end; returns the upper end.
double drawWhisker(QCPPainter& painter, const QCPAxisRect& rect, double x, HeadInterval interval,
                   const QColor& colour, const PlotStyle& style);

// The same inside a longer bar, such as one of a standard deviation.
void drawInnerInterval(QCPPainter& painter, const QCPAxisRect& rect, double x, HeadInterval interval,
                       const QColor& colour, const PlotStyle& style);

// "95 % over 12 examples", "95 % over heads"; `examples` 0: not known, or different ones.
QString intervalText(IntervalOver over, std::int64_t examples = 0);
LegendEntry bandEntry(const QString& text, const QColor& colour, const PlotStyle& style);
LegendEntry whiskerEntry(const QString& text, const PlotStyle& style);
LegendEntry innerEntry(const QString& text, const PlotStyle& style);

// "270 heads, 12 examples"; what is 0 is not said.
QString countText(std::int64_t heads, std::int64_t examples);
// The same of several: "96 to 270 heads".
QString countText(const std::vector<std::int64_t>& heads, const std::vector<std::int64_t>& examples);

}  // namespace plastiscope
