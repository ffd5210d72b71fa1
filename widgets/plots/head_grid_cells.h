#pragma once
// Parts of the grid of heads: places of its cells and the marks over them, tool tips, the overview of a
// zoomed grid. Private to widgets/plots.
#include <QColor>
#include <QImage>
#include <QRect>
#include <QRectF>
#include <QString>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/figures/figures.h"
#include "core/views/head_grid_data.h"
#include "core/views/plot.h"
#include "widgets/plots/plot_style.h"
#include "widgets/state/locked_ranges.h"

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
  HeadGroups groups;  // outlined
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
  // Lines around each connected part of the cells of these heads, `inset` pixels inside of their edges.
  QList<QLineF> outline(QCustomPlot& plot, const std::vector<HeadName>& heads, double inset) const;
  void paintGroups(QPainter& painter, QCustomPlot& plot, const PlotStyle& style) const;
  void paintSeveral(QPainter& painter, QCustomPlot& plot, const PlotStyle& style) const;

  std::vector<std::int64_t> m_places;  // [cells] place of each cell; empty: its own
};

// The user's note on a head, why its data cannot be read, and its groups; "": none.
struct HeadRemarks {
  std::string note, problem, groups = {};
};

// Tool tip of a cell. `colour`: of the cell in the grid, if captured.
QString headTip(const HeadGridData& data, HeadName cell, const QColor& colour, const HeadRemarks& remarks);

// Places a tip outside of its cell and inside the view, so that it covers no other panel: right, left, below,
// or above.
QPoint tipPlace(const QString& html, const QRect& cell, const QRect& view);

// One pixel per cell, in their order; cells without a value get the window colour.
QImage pictureOf(const CellMarks& cells, const PlotStyle& style);

// Overview of a zoomed plot, with a frame around the visible part.
struct ZoomOverview {
  QRectF box;  // position of the overview, pixels
  ViewRange whole, shown;

  // In the bottom right corner of a panel.
  static QRectF boxIn(const QRectF& panel);
  QPointF placeAt(const QPointF& pixel) const;  // the place in the plot drawn at a pixel
  void paint(QPainter& painter, const QImage& picture, const PlotStyle& style) const;
};

}  // namespace plastiscope
