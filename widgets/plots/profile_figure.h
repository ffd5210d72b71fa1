#pragma once
// Fills a plot with the profile, the fifths of the window, or both: used by the widget and by the export.
#include <memory>
#include <optional>
#include <utility>

#include "core/compare/ghost.h"
#include "core/views/profile_data.h"
#include "widgets/plots/figure_place.h"
#include "widgets/plots/plot_style.h"
#include "widgets/plots/position_axis.h"

namespace plastiscope {

enum class ProfileParts { Profile, Quintiles, Both };

struct HeadLineCache;  // owned by the widget

// Published numbers of a model, drawn behind; empty curves where nothing is published.
struct PublishedProfile {
  GhostCurve profile;    // over share of the model's window
  GhostCurve quintiles;  // x = 1..5
};

struct ProfileOptions {
  ProfileParts parts = ProfileParts::Both;
  std::optional<std::pair<double, double>> range;          // of the AP axis; nothing = 0..1
  std::shared_ptr<HeadLineCache> lines = {};               // may be null
  std::shared_ptr<const PublishedProfile> published = {};  // may be null
  bool intervals = true;  // of the mean over heads, and of the head where there is a bootstrap
  // Nothing: tokens, but shares of the window beside a published curve of another window.
  std::optional<PositionAxis> axis = {};
};

PositionAxis positionAxisOf(const ProfileData& data, const ProfileOptions& options);
// Where the axis of positions ends, in tokens of the data's window.
double profileEnd(const ProfileData& data, const ProfileOptions& options);

void buildProfile(const FigurePlace& place, const ProfileData& data, const PlotStyle& style,
                  const ProfileOptions& options = {});

}  // namespace plastiscope
