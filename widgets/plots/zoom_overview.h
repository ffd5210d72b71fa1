#pragma once
// Overview of a zoomed plot, with a frame around the visible part.
#include <QImage>
#include <QRectF>

#include "core/views/plot.h"
#include "widgets/plots/plot_style.h"
#include "widgets/state/locked_ranges.h"

class QPainter;

namespace plastiscope {

// One pixel per cell, in their order; cells without a value get the window colour.
QImage pictureOf(const CellMarks& cells, const PlotStyle& style);

struct ZoomOverview {
  QRectF box;  // position of the overview, pixels
  ViewRange whole, shown;

  // In the bottom right corner of a panel.
  static QRectF boxIn(const QRectF& panel);
  QPointF placeAt(const QPointF& pixel) const;  // the place in the plot drawn at a pixel
  void paint(QPainter& painter, const QImage& picture, const PlotStyle& style) const;
};

}  // namespace plastiscope
