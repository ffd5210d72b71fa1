#pragma once
// A figure taken apart: its axes, and the marks on them as paths, images and texts. For writers of formats
// that draw axes themselves. Lengths are layout units (twentieths of a point) from the top left.
#include <QColor>
#include <QFont>
#include <QImage>
#include <QPainterPath>
#include <QPen>
#include <QString>
#include <functional>
#include <vector>

#include "widgets/plots/plot_style.h"

class QCustomPlot;

namespace plastiscope {

struct RecordedAxis {
  bool line = false, ticked = false, labelled = false, grid = false;
  double low = 0, high = 1;
  bool reversed = false;
  std::vector<double> ticks;
  std::vector<QString> labels;  // [ticks]
  double rotation = 0;          // of the labels, degrees
  QString title;                // rich text; "" = none
  double titleRoom = 0;         // from the box to the outer edge of the title
};

struct RecordedPanel {
  QRectF box;
  RecordedAxis left, bottom, right, top;
};

struct TextRun {
  QString text;
  double size = 0, rise = 0;  // of the type; above the baseline
  bool bold = false, italic = false;
};

struct RecordedMark {
  int panel = -1;  // into RecordedFigure::panels: cut at its box; -1 = anywhere in the figure
  QPainterPath path;
  QPen pen = QPen(Qt::NoPen);
  QColor fill;  // invalid = not filled
  // Instead of a path:
  QImage image;
  QRectF imageRect;
  std::vector<TextRun> text;
  QPointF at;  // of the baseline's start
  double angle = 0;
};

struct RecordedFigure {
  QSize units;
  std::vector<RecordedPanel> panels;
  std::vector<RecordedMark> marks;  // in the order of painting
};

// Lays out and takes apart. Needs a QApplication; GUI thread.
RecordedFigure recordFigure(QSize units, const PlotStyle& style,
                            const std::function<void(QCustomPlot&, const PlotStyle&)>& build);

}  // namespace plastiscope
