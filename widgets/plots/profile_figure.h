#pragma once
// Fills a plot with the profile, the fifths of the window, or both: used by the widget and by the export.
#include <memory>
#include <optional>
#include <utility>

#include "core/views/profile_data.h"
#include "widgets/plots/plot_style.h"

class QCustomPlot;

namespace plastiscope {

enum class ProfileParts { Profile, Quintiles, Both };

struct ProfileOptions {
  ProfileParts parts = ProfileParts::Both;
  std::optional<std::pair<double, double>> range;  // of the AP axis; nothing = 0..1
};

void buildProfile(QCustomPlot& plot, const ProfileData& data, const PlotStyle& style,
                  const ProfileOptions& options = {});

}  // namespace plastiscope
