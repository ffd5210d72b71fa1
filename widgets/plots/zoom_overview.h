#pragma once
// A small picture of the whole of a zoomed plot, and a frame around what is seen of it.
#include <QImage>
#include <QRectF>

#include "core/views/plot.h"
#include "widgets/plots/plot_style.h"
#include "widgets/state/locked_ranges.h"

class QPainter;

namespace plastiscope {

// In the order of the cells, a pixel each; without a value: the colour of the window.
QImage pictureOf(const CellMarks& cells, const PlotStyle& style);

struct ZoomOverview {
  QRectF box;  // where it stands, pixels
  ViewRange whole, shown;

  // In the corner of a panel that is last in reading order.
  static QRectF boxIn(const QRectF& panel);
  QPointF placeAt(const QPointF& pixel) const;  // what of the whole is drawn there
  void paint(QPainter& painter, const QImage& picture, const PlotStyle& style) const;
};

}  // namespace plastiscope
