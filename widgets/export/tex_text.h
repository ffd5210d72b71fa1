#pragma once
// Texts of figures as LaTeX.
#include <QString>
#include <vector>

#include "widgets/plots/recorded_figure.h"

namespace plastiscope {

// Special characters escaped; minus signs, Greek letters and the like as math.
QString texText(const QString& plain);
// Rich text of an axis title: <sub>, <sup>, <i>, <b>.
QString texMarkup(const QString& richText);
// Runs with their sub- and superscripts.
QString texRuns(const std::vector<TextRun>& runs);
// "\fontsize{7bp}{8.4bp}\selectfont"
QString texFont(double points);

}  // namespace plastiscope
