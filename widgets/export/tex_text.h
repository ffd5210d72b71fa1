#pragma once
// Texts of figures as LaTeX.
#include <QString>

namespace plastiscope {

// Special characters escaped; minus signs, Greek letters and the like as math.
QString texText(const QString& plain);
// Rich text of an axis title: <sub>, <sup>, <i>, <b>.
QString texMarkup(const QString& richText);
// "\fontsize{7bp}{8.4bp}\selectfont"
QString texFont(double points);

}  // namespace plastiscope
