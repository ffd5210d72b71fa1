#pragma once
// Fills a plot with all heads as points: r_q against r_k with class borders, or a metric by layer. Widget and
// export.
#include <optional>
#include <utility>

#include "core/compare/ghost.h"
#include "core/views/depth_data.h"
#include "core/views/taxonomy_data.h"
#include "widgets/plots/figure_place.h"
#include "widgets/plots/plot_style.h"

namespace plastiscope {

// Of the classes in their fixed order.
QColor taxonomyColour(std::size_t index, Theme theme);
void buildTaxonomy(const FigurePlace& place, const TaxonomyData& data, const PlotStyle& style);
// `published`: a curve over relative depth 0..1, drawn behind; may be empty.
void buildDepth(const FigurePlace& place, const DepthData& data, const PlotStyle& style,
                std::optional<std::pair<double, double>> range = std::nullopt,
                const GhostCurve& published = {}, bool intervals = true);

}  // namespace plastiscope
