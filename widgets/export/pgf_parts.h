#pragma once
// Parts of a pgfplots source: options of an axis environment, table of the plotted numbers, texts.
#include <QPointF>
#include <QString>
#include <string>
#include <vector>

#include "widgets/plots/plot_renderer.h"

namespace plastiscope {

// "at={(12bp,30bp)}, width=..., xmin=..., xtick={...}, ...": places the box as in the figure.
QString pgfAxisOptions(const LaidOutPanel& panel, QSize figure, const PlotStyle& style);

// Layout units as big points.
QString bp(double units);

// Table read by all plots of a figure: a column pair xN, yN for each, padded with nan.
class PgfTable {
 public:
  static QPointF gap();                          // separates parts of a plot
  std::size_t add(std::vector<QPointF> points);  // number of the plot
  std::string csv() const;

 private:
  std::vector<std::vector<QPointF>> m_plots;
  std::size_t m_longest = 0;
};

// Escapes special characters; minus signs, Greek letters etc. become math.
QString texText(const QString& plain);
// Rich text of an axis title: <sub>, <sup>, <i>, <b>.
QString texMarkup(const QString& richText);
// "\fontsize{7bp}{8.4bp}\selectfont"
QString texFont(double points);

}  // namespace plastiscope
