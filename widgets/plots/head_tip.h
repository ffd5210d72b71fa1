#pragma once
// Tool tip of a cell of the head grid.
#include <QColor>
#include <QRect>
#include <QString>
#include <string>

#include "core/views/head_grid_data.h"

namespace plastiscope {

// The user's note on a head, and why its data cannot be read; "": none.
struct HeadRemarks {
  std::string note, problem;
};

// `colour`: of the cell in the grid, if captured.
QString headTip(const HeadGridData& data, HeadName cell, const QColor& colour, const HeadRemarks& remarks);

// Places a tip outside of its cell and inside the view, so that it covers no other panel: right, left, below,
// or above.
QPoint tipPlace(const QString& html, const QRect& cell, const QRect& view);

}  // namespace plastiscope
