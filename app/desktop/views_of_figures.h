#pragma once
// Where the window shows what a figure shows.
#include <QString>

#include "widgets/export/figure_spec.h"

namespace plastiscope {

// The figure that draws it: itself, or for a figure of the thesis the one it is made with.
std::string drawnAs(const std::string& figure);
QString viewOfModelTab(const std::string& figure);  // id of a view of the catalogue
QString dockOfCompareTab(const FigureSpec& figure);  // id of a dock

}  // namespace plastiscope
