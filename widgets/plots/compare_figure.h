#pragma once
// Fills a plot with the profiles and quintiles of several models over each other: widget and export.
#include <optional>
#include <utility>

#include "core/compare/compared_profiles.h"
#include "widgets/plots/figure_place.h"
#include "widgets/plots/plot_style.h"
#include "widgets/plots/position_axis.h"

namespace plastiscope {

enum class CompareParts { Both, Profiles, Quintiles };
struct CompareOptions {
  CompareParts parts = CompareParts::Both;
  PositionAxis axis = PositionAxis::Share;
  std::optional<std::pair<double, double>> range;  // of AP in the profiles
  bool legend = true;
  bool intervals = true;
};

// Where the bar of a model stands in the panel of the quintiles; `fifth` from 0.
struct QuintileBar {
  double left = 0, right = 0;  // coordinates of its axis
};
QuintileBar quintileBar(int fifth, std::size_t model, std::size_t models);

void buildCompare(const FigurePlace& place, const ComparedProfiles& data, const PlotStyle& style,
                  const CompareOptions& options = {});

}  // namespace plastiscope
