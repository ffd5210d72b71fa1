#pragma once
// Drawn cells of a grid of heads: their places, and the marks over them. Private to widgets/plots.
#include <QRectF>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/figures/figures.h"
#include "core/views/head_grid_data.h"
#include "widgets/plots/plot_style.h"

class QCPAxisRect;
class QCustomPlot;
class QPainter;

namespace plastiscope {

// Places are counted in reading order, also when layers run across.
struct HeadGridCells {
  std::shared_ptr<const HeadGridData> data;
  HeadGridOptions options;
  std::optional<HeadName> selected;
  std::optional<std::int64_t> hovered;  // place
  std::vector<HeadName> several;        // ascending
  std::set<HeadName> starred;
  std::map<HeadName, std::string> notes, damaged;
  std::optional<std::set<HeadName>> filter;

  void setData(std::shared_ptr<const HeadGridData> content);
  std::int64_t cells() const { return data->layers * data->heads; }
  bool known(HeadName head) const;
  std::int64_t placeOf(HeadName head) const;  // of a known head
  HeadGridCell cellAt(std::int64_t place) const;
  std::int64_t neighbour(std::int64_t place, int rows, int columns) const;  // -1: beyond the grid
  // Heads of a cell that can be added to a selection: without those a filter fades.
  std::vector<HeadName> offered(std::int64_t place) const;

  // Pixels of the plot.
  static const QCPAxisRect& rect(QCustomPlot& plot);
  QRectF box(QCustomPlot& plot, std::int64_t place) const;
  QRectF box(QCustomPlot& plot, HeadName head) const { return box(plot, placeOf(head)); }
  std::optional<std::int64_t> placeAt(QCustomPlot& plot, const QPointF& position) const;
  // Paints faded heads, stars, notes, damage, and frames around selected and hovered cells.
  void paintMarks(QPainter& painter, QCustomPlot& plot, const PlotStyle& style) const;

 private:
  void paintSeveral(QPainter& painter, QCustomPlot& plot, const PlotStyle& style) const;

  std::vector<std::int64_t> m_places;  // [cells] place of each cell; empty: its own
};

}  // namespace plastiscope
