#pragma once
// Fills a plot with models as points, a predictor against a score: widget and export.
#include <optional>
#include <utility>

#include "core/compare/benchmark_data.h"
#include "widgets/plots/figure_place.h"
#include "widgets/plots/plot_style.h"

namespace plastiscope {

// The thesis' figure: family colour and marker, names, dashed least-squares line with its 95 % band, r with
// interval, rho, n and p in a box. `range`: of the score.
void buildBenchmark(const FigurePlace& place, const BenchmarkData& data, const PlotStyle& style,
                    std::optional<std::pair<double, double>> range = std::nullopt);

// "p = 0.068", "p < 0.001"; "r = −0.67 [−0.95, 0.16]": rich text, also for tables and tool tips.
QString pText(double p);
QString correlationText(const Correlation& result);

}  // namespace plastiscope
