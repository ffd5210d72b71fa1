#pragma once
// Marks and numbers of pgfplots plots.
#include <QPointF>
#include <QString>
#include <string>
#include <vector>

#include "widgets/plots/recorded_figure.h"

namespace plastiscope {

// A closed small path that is no bar: drawn as a mark at its middle.
bool isPlotMark(const RecordedMark& mark);
// The outline of such a mark around its middle, as pgf commands.
QString plotMarkCode(const RecordedMark& mark);

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
