#pragma once
// Options of one pgfplots axis environment, and the table that its plots read.
#include <QPointF>
#include <QString>
#include <string>
#include <vector>

#include "widgets/plots/plot_renderer.h"

namespace plastiscope {

// "at={(12bp,30bp)}, width=..., xmin=..., xtick={...}, ...": the box where the figure has it.
QString pgfAxisOptions(const LaidOutPanel& panel, QSize figure, const PlotStyle& style);

// A number of layout units in big points.
QString bp(double units);

// The table that all plots of a figure read: a column pair xN, yN for each, filled up with nan.
class PgfTable {
 public:
  static QPointF gap();                          // between two parts of a plot
  std::size_t add(std::vector<QPointF> points);  // number of the plot
  std::string csv() const;

 private:
  std::vector<std::vector<QPointF>> m_plots;
  std::size_t m_longest = 0;
};

}  // namespace plastiscope
