#pragma once
// Every figure: a function from its data to a plot. Window, `render`, export and tests draw what these
// return.
#include <memory>

#include "core/compare/bar_data.h"
#include "core/compare/benchmark_data.h"
#include "core/compare/compared_losses.h"
#include "core/compare/family_data.h"
#include "core/compare/head_distributions.h"
#include "core/compare/trajectory_data.h"
#include "core/figures/parts.h"
#include "core/views/complement_data.h"
#include "core/views/components_data.h"
#include "core/views/depth_data.h"
#include "core/views/explore_data.h"
#include "core/views/head_grid_data.h"
#include "core/views/head_metrics.h"
#include "core/views/map_data.h"
#include "core/views/placement_data.h"
#include "core/views/plane_data.h"
#include "core/views/profile_data.h"
#include "core/views/query_keys.h"
#include "core/views/row_colours.h"
#include "core/views/text_excerpt.h"

namespace plastiscope {

// Above so many points a file holds one lossless image under vector axes instead of one circle per row.
inline constexpr std::size_t kVectorPointLimit = 20000;

// --- One head -------------------------------------------------------------------------------------------

// Query and key rows in two axes, with drift and centre; `marks` false: the rows alone. `colouring`: null for
// that by position.
Plot planePlot(const std::shared_ptr<const PlaneData>& data,
               const std::shared_ptr<const RowColouring>& colouring = nullptr, bool marks = true);
Plot complementPlot(const std::shared_ptr<const ComplementData>& data);
Plot componentsPlot(const ComponentsData& data);
Plot weightsPlot(const ComponentWeightsData& data);
Plot whatIfPlot(const WhatIfData& data);
// AP of content from each bin put at each position; its diagonal is the profile. `range`: of the colours.
Plot placementPlot(const PlacementData& data, const ValueRange& range = {});
// Scores of the mean vectors and measured ones, over distance.
Plot saliencePlot(const SalienceData& data, const ValueRange& range = {});
// Scores over key position, the trend of the position axis alone, and rings around the highest ones.
Plot queryScoresPlot(const QueryScores& scores);
// The same, and with `parts` the highest ones by name with the parts of their scores.
Plot queryKeysPlot(const QueryKeys& data, bool parts = true);
// A page of a text: tokens in the colour of a quantity of the head.
Plot excerptPlot(const std::shared_ptr<const TextExcerpt>& excerpt);

struct MapOptions {
  ValueRange range;         // of the colours; nothing = locked to 0..1
  bool counts = false;      // pairs written into the cells
  bool difference = false;  // of PP between two maps: diverging colours
};
Plot mapPlot(const MapData& data, const MapOptions& options = {});
std::string mapTip(const MapData& data, std::int64_t column, std::int64_t row, bool difference);

// Published numbers of a model, drawn behind; empty curves where nothing is published.
struct PublishedProfile {
  ReferenceCurve profile;    // over share of the model's window
  ReferenceCurve quintiles;  // x = 1..5
};
enum class ProfileParts { Profile, Quintiles, Both };
struct ProfileOptions {
  ProfileParts parts = ProfileParts::Both;
  ValueRange range;                                        // of the AP axis; nothing = 0..1
  std::shared_ptr<const PublishedProfile> published = {};  // may be null
  bool intervals = true;  // of the mean over heads, and of the head where there is a bootstrap
  // Nothing: tokens, but shares of the window beside a published curve of another window.
  std::optional<PositionAxis> axis = {};
};
// What is drawn of the data: published numbers are binned, so beside them the binned values are.
const ProfileData& drawnProfile(const ProfileData& data, const ProfileOptions& options);
const ProfileData& drawnProfile(ProfileData&&, const ProfileOptions& options) = delete;
PositionAxis positionAxisOf(const ProfileData& data, const ProfileOptions& options);
// Where the axis of positions ends, in tokens of the data's window.
double profileEnd(const ProfileData& data, const ProfileOptions& options);
Plot profilePlot(const ProfileData& data, const ProfileOptions& options = {});
// What is said of a bin: its positions, the chosen head and the mean.
std::string profileTip(const ProfileData& data, std::size_t bin);

// --- All heads of a study -------------------------------------------------------------------------------

// Where heads and layers stand on their axes: heads at 0, 1, ... with a gap after each KV group; layers at 0,
// 1, ...
class HeadGridPlaces {
 public:
  explicit HeadGridPlaces(const HeadGridData& data);
  double ofHead(std::int64_t head) const;                  // centre
  std::optional<std::int64_t> headAt(double place) const;  // nothing in gaps and outside
  std::optional<std::int64_t> layerAt(double place) const;
  std::optional<HeadName> at(double heads, double layers) const;  // places on their axes
  double headsEnd() const;                                        // right edge of the last head
  double layersEnd() const { return static_cast<double>(m_layers) - 0.5; }

 private:
  std::int64_t m_heads, m_layers, m_group;
  double m_gap;
};
struct HeadGridOptions {
  ValueRange range;         // of the colours
  bool transposed = false;  // heads down, layers across
  bool spreads = false;     // beside the grid: how the metric is spread over the heads of each layer
  bool scale = true;        // of the colours, beside it
  bool groups = false;      // heads that share a key head are named on the other side
  bool operator==(const HeadGridOptions&) const = default;
};
// Right end of the heads' axis: the last head, and the layer marks when there are any.
double headGridExtent(const HeadGridData& data);
std::string layerTip(const HeadGridData& data, std::int64_t layer);  // how its heads are spread
Plot headGridPlot(const HeadGridData& data, const HeadGridOptions& options = {});
Plot taxonomyPlot(const TaxonomyData& data);
// `contours`: of many heads, around the shares that HeadMetricsData::kShares says. The ids of points are
// indices into data.heads.
Plot headMetricsPlot(const HeadMetricsData& data, bool contours = true);
// `published`: a curve over relative depth 0..1; may be empty.
Plot depthPlot(const DepthData& data, const ValueRange& range = {}, const ReferenceCurve& published = {},
               bool intervals = true);

// --- Several studies ------------------------------------------------------------------------------------

enum class CompareParts { Both, Profiles, Quintiles };
struct CompareOptions {
  CompareParts parts = CompareParts::Both;
  PositionAxis axis = PositionAxis::Share;
  ValueRange range;  // of AP in the profiles
  bool intervals = true;
};
Plot comparePlot(const ComparedProfiles& data, const CompareOptions& options = {});

// Losses by position, and below of all tokens, of passages seen before and of where they stood first: of one
// capture as they are, of several less those of the first. `range`: of the upper box.
Plot lossPlot(const ComparedLosses& data, const ValueRange& range = {});
Plot comparedDepthsPlot(const ComparedDepths& data, const ValueRange& range = {}, bool intervals = true);
Plot comparedSharesPlot(const ComparedShares& data);
// The thesis' chart: the first two series as lines with the gap between them shaded, the third as bars below
// (checkpointMetrics()).
Plot checkpointsPlot(const TrajectoryData& data, const ValueRange& range = {}, bool intervals = true);
// One metric: mean over heads with its standard deviation and its interval.
Plot trajectoryPlot(const TrajectoryData& data, const ValueRange& range = {}, bool intervals = true);
// Two correlations, of queries and of keys, as lines with their standard deviations (signalMetrics()).
Plot signalPlot(const TrajectoryData& data, const ValueRange& range = {}, bool intervals = true);
Plot barsPlot(const BarData& data, const ValueRange& range = {}, bool intervals = true);
Plot densityPlot(const DensityData& data);
// `range`: of the colours.
Plot depthMapPlot(const DepthMapData& data, const ValueRange& range = {});
Plot headScatterPlot(const HeadScatterData& data);
// Family colour and marker, names, least-squares line with its 95 % band, r with interval, rho, n and p.
// `range`: of the score.
Plot benchmarkPlot(const BenchmarkData& data, const ValueRange& range = {});
std::string benchmarkTip(const BenchmarkData& data, const BenchmarkPoint& point);
// "p = 0.068", "p < 0.001"; "r = −0.67 [−0.95, 0.16]": rich text, also for tables and tool tips.
std::string pText(double p);
std::string correlationText(const Correlation& result);

}  // namespace plastiscope
