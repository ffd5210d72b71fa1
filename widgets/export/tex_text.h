#pragma once
// Texts of a figure as LaTeX.
#include <QString>

namespace plastiscope {

// Escapes special characters; minus signs, Greek letters etc. become math.
QString texText(const QString& plain);
// Rich text of an axis title: <sub>, <sup>, <i>, <b>.
QString texMarkup(const QString& richText);
// "\fontsize{7bp}{8.4bp}\selectfont"
QString texFont(double points);

}  // namespace plastiscope
