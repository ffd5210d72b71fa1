#pragma once
// Fills a place with the pairs of directions outside the plane {a, b}: widget and export.
#include <memory>

#include "core/views/complement_data.h"
#include "widgets/plots/figure_place.h"
#include "widgets/plots/plot_style.h"

namespace plastiscope {

void buildComplement(const FigurePlace& place, const std::shared_ptr<const ComplementData>& data,
                     const PlotStyle& style);

}  // namespace plastiscope
