#pragma once
// Which figures a tab can show, and what their files are called.
#include <QString>

#include "core/views/metric_info.h"
#include "widgets/export/figure_kinds.h"

namespace plastiscope {

// The figures of so many studies, in the order of the list. Those that need none stand apart: they are
// offered where one of them is `shown`, and nowhere else. Scatters need rows.
std::vector<const FigureKind*> figuresFor(const Studies& studies, const std::string& shown = {});
// The thesis' figures that these studies can show.
std::vector<const FigureKind*> thesisKindsFor(const Studies& studies);
// The metrics that a figure of these studies can show.
std::vector<MetricInfo> metricsFor(const Studies& studies, const std::string& shown);
// "map-L4H2", "depth-ap_drop": without extension.
QString figureFileName(const FigureSpec& spec);

}  // namespace plastiscope
