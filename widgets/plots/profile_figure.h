#pragma once
// Fills a plot with the profile, the fifths of the window, or both: used by the widget and by the export.
#include <memory>
#include <optional>
#include <utility>

#include "core/compare/ghost.h"
#include "core/views/profile_data.h"
#include "widgets/plots/figure_place.h"
#include "widgets/plots/plot_style.h"

namespace plastiscope {

enum class ProfileParts { Profile, Quintiles, Both };

struct HeadLineCache;  // owned by the widget

// Published numbers of a model, drawn behind; empty curves where nothing is published.
struct PublishedProfile {
  GhostCurve profile;    // over relative position
  GhostCurve quintiles;  // x = 1..5
};

struct ProfileOptions {
  ProfileParts parts = ProfileParts::Both;
  std::optional<std::pair<double, double>> range;          // of the AP axis; nothing = 0..1
  std::shared_ptr<HeadLineCache> lines = {};               // may be null
  std::shared_ptr<const PublishedProfile> published = {};  // may be null
  bool intervals = true;                                   // those of a bootstrap, where there are any
};

void buildProfile(const FigurePlace& place, const ProfileData& data, const PlotStyle& style,
                  const ProfileOptions& options = {});

}  // namespace plastiscope
