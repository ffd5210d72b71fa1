#pragma once
// The tip of a cell of the head grid.
#include <QColor>
#include <QRect>
#include <QString>
#include <string>

#include "core/views/head_grid_data.h"

namespace plastiscope {

// What the person has written of the head, and why its data cannot be read; "": nothing.
struct HeadRemarks {
  std::string note, problem;
};

// `colour`: of the cell in the grid, where it was captured.
QString headTip(const HeadGridData& data, HeadName cell, const QColor& colour, const HeadRemarks& remarks);

// Where a tip stands clear of a cell and within the view, so that it covers no other panel: on its right, on
// its left, below, or above.
QPoint tipPlace(const QString& html, const QRect& cell, const QRect& view);

}  // namespace plastiscope
