#pragma once
// A figure whose numbers are there, ready to be drawn.
#include "widgets/export/figure_kinds.h"

class QMimeData;

namespace plastiscope {

struct PreparedFigure {
  FigureSpec spec;
  FigureContent content;
};

// The picture as PNG, SVG and PDF and its numbers as CSV: the program that pastes takes what it can. The
// caller owns it. GUI thread.
QMimeData* clipboardData(const PreparedFigure& figure);

}  // namespace plastiscope
