#pragma once
// Fills a plot with the profiles and quintiles of several models over each other: widget and export.
#include <optional>
#include <utility>

#include "core/compare/compared_profiles.h"
#include "widgets/plots/figure_place.h"
#include "widgets/plots/plot_style.h"

namespace plastiscope {

enum class CompareParts { Both, Profiles, Quintiles };
enum class PositionAxis { Share, Tokens };

struct CompareOptions {
  CompareParts parts = CompareParts::Both;
  PositionAxis axis = PositionAxis::Share;
  std::optional<std::pair<double, double>> range;  // of AP in the profiles
  bool legend = true;
};

void buildCompare(const FigurePlace& place, const ComparedProfiles& data, const PlotStyle& style,
                  const CompareOptions& options = {});

}  // namespace plastiscope
