#pragma once
// Parts of a pgfplots source: options of one axis environment, the table that its plots read, texts.
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

// Special characters escaped; minus signs, Greek letters and the like as math.
QString texText(const QString& plain);
// Rich text of an axis title: <sub>, <sup>, <i>, <b>.
QString texMarkup(const QString& richText);
// "\fontsize{7bp}{8.4bp}\selectfont"
QString texFont(double points);

}  // namespace plastiscope
