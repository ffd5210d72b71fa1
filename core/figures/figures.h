#pragma once
// Figures: functions from data to a plot. The window, `render`, the export and tests draw what these return.
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/compare/benchmark_data.h"
#include "core/compare/compared_losses.h"
#include "core/compare/head_distributions.h"
#include "core/compare/model_series.h"
#include "core/figures/parts.h"
#include "core/views/attended_data.h"
#include "core/views/attention_data.h"
#include "core/views/complement_data.h"
#include "core/views/components_data.h"
#include "core/views/depth_data.h"
#include "core/views/explore_data.h"
#include "core/views/group_statistics.h"
#include "core/views/head_grid_data.h"
#include "core/views/head_metrics.h"
#include "core/views/map_data.h"
#include "core/views/placement_data.h"
#include "core/views/plane_data.h"
#include "core/views/profile_data.h"
#include "core/views/query_keys.h"
#include "core/views/row_colours.h"
#include "core/views/softmax_data.h"
#include "core/views/text_excerpt.h"

namespace plastiscope {

// Above this count of points a file holds a lossless image under vector axes instead of one circle per row.
inline constexpr std::size_t kVectorPointLimit = 20000;

// --- One head -------------------------------------------------------------------------------------------

// Query and key rows on two axes, with drift and centre; `marks` false: only the rows. `colouring`: null for
// colours by position.
Plot planePlot(const std::shared_ptr<const PlaneData>& data,
               const std::shared_ptr<const RowColouring>& colouring = nullptr, bool marks = true);
Plot complementPlot(const std::shared_ptr<const ComplementData>& data);
Plot componentsPlot(const ComponentsData& data);
Plot weightsPlot(const ComponentWeightsData& data);
Plot whatIfPlot(const WhatIfData& data);
// AP with the content of each bin placed at each position, profile on the diagonal. `range`: of the colours.
Plot placementPlot(const PlacementData& data, const ValueRange& range = {});
// Scores of the mean vectors and measured scores over distance.
Plot saliencePlot(const SalienceData& data, const ValueRange& range = {});
// Pairwise and softmax plasticity over position; below, shares of the attention. `range`: of the upper box.
Plot softmaxPlot(const SoftmaxData& data, const ValueRange& range = {});
struct AttentionOptions {
  AttentionChoice choice;
  ValueRange range = {};                   // of the colours; of logarithms for logarithmic weights
  std::optional<std::int64_t> query = {};  // marked
  bool wholeAxes = false;                  // axes of the whole text around a part
};
Plot attentionPlot(const AttentionData& data, const AttentionOptions& options);
std::string attentionTip(const AttentionData& data, std::int64_t row,
                         std::int64_t column);  // rich; "" = no pair
// Scores over key position, the trend of the position axis alone, and rings around the highest ones.
Plot queryScoresPlot(const QueryScores& scores);
// The same, and with `parts` the highest scores by key name with their parts.
Plot queryKeysPlot(const QueryKeys& data, bool parts = true);
// Keys that a head attends to: one part, or all parts as panels in that many columns. The example queries are
// not drawn.
Plot attendedPlot(const AttendedData& data, AttendedPart part);
Plot attendedPlot(const AttendedData& data, int columns);
// Page of a text, tokens coloured by a quantity of the head.
Plot excerptPlot(const std::shared_ptr<const TextExcerpt>& excerpt);

struct MapOptions {
  ValueRange range;         // colour range; nullopt = fixed to 0..1
  bool counts = false;      // pairs written into the cells
  bool difference = false;  // difference of PP between two maps: diverging colours
};
Plot mapPlot(const MapData& data, const MapOptions& options = {});
std::string mapTip(const MapData& data, std::int64_t column, std::int64_t row, bool difference);

// Published numbers of a model, drawn behind; empty curves where nothing is published.
struct PublishedProfile {
  ReferenceCurve profile;    // over share of the model's window
  ReferenceCurve quintiles;  // x = 1..5
};
// Mean profile of a group of heads, drawn with its interval over heads.
struct GroupProfile {
  HeadGroup group;
  ProfileData data;  // of the same field for all
};
enum class ProfileParts { Profile, Quintiles, Both };
struct ProfileOptions {
  ProfileParts parts = ProfileParts::Both;
  ValueRange range;                                        // range of the AP axis; nullopt = 0..1
  std::shared_ptr<const PublishedProfile> published = {};  // may be null
  bool intervals = true;  // for the mean over heads, and for the head where it has a bootstrap
  // Nullopt: tokens, but shares of the window beside a published curve of another window.
  std::optional<PositionAxis> axis = {};
  std::vector<GroupProfile> groups = {};  // in their colours, over the heads
};
// The data that is drawn: binned values beside published numbers, which are binned.
const ProfileData& drawnProfile(const ProfileData& data, const ProfileOptions& options);
const ProfileData& drawnProfile(ProfileData&&, const ProfileOptions& options) = delete;
PositionAxis positionAxisOf(const ProfileData& data, const ProfileOptions& options);
// End of the position axis, in tokens of the data's window.
double profileEnd(const ProfileData& data, const ProfileOptions& options);
Plot profilePlot(const ProfileData& data, const ProfileOptions& options = {});
// Tool tip of a bin: its positions, the chosen head and the mean.
std::string profileTip(const ProfileData& data, std::size_t bin);

// The profile or the quintiles without the heads: groups beside the mean of all heads.
Plot groupProfilesPlot(const std::vector<GroupProfile>& groups, ProfileOptions options = {});

// --- All heads of a study -------------------------------------------------------------------------------

// Coordinates of heads and layers on their axes: heads at 0, 1, ... with a gap after each KV group; layers at
// 0, 1, ...
class HeadGridPlaces {
 public:
  explicit HeadGridPlaces(const HeadGridData& data);
  double ofHead(std::int64_t head) const;                  // centre
  std::optional<std::int64_t> headAt(double place) const;  // nothing in gaps and outside
  std::optional<std::int64_t> layerAt(double place) const;
  std::optional<HeadName> at(double heads, double layers) const;  // from coordinates on both axes
  double headsEnd() const;                                        // right edge of the last head
  double layersEnd() const { return static_cast<double>(m_layers) - 0.5; }

 private:
  std::int64_t m_heads, m_layers, m_group;
  double m_gap;
};
struct HeadGridOptions {
  ValueRange range;         // colour range
  bool transposed = false;  // heads down, layers across
  bool spreads = false;     // beside the grid: spread of the metric over the heads of each layer
  bool scale = true;        // colour bar beside the grid
  bool groups = false;      // names groups of heads with a common key head on the opposite side
  bool operator==(const HeadGridOptions&) const = default;
};
// Right end of the heads' axis: the last head, or the layer marks if there are any.
double headGridExtent(const HeadGridData& data);
std::string layerTip(const HeadGridData& data, std::int64_t layer);  // spread of its heads
Plot headGridPlot(const HeadGridData& data, const HeadGridOptions& options = {});
Plot taxonomyPlot(const TaxonomyData& data);
// `contours`: around the shares HeadMetricsData::kShares, if there are many heads. The ids of points are
// indices into data.heads.
// `contours`: nullopt = showsContours().
Plot headMetricsPlot(const HeadMetricsData& data, std::optional<bool> contours = {});
// Whether there are so many heads that contours are shown unless they are switched off.
bool showsContours(const HeadMetricsData& data);
// `published`: a curve over relative depth 0..1; may be empty.
Plot depthPlot(const DepthData& data, const ValueRange& range = {}, const ReferenceCurve& published = {},
               bool intervals = true);

// Heads of groups as points beside those they are compared with, with means and the interval of the
// difference.
Plot groupStripsPlot(const GroupStrips& data, const ValueRange& range = {});
// Differences of many metrics in standard deviations within the compared sets, with intervals.
Plot groupContrastsPlot(const HeadGroups& groups, const std::vector<GroupContrast>& contrasts,
                        const ValueRange& range = {});

// --- Several studies ------------------------------------------------------------------------------------

enum class CompareParts { Both, Profiles, Quintiles };
struct CompareOptions {
  CompareParts parts = CompareParts::Both;
  PositionAxis axis = PositionAxis::Share;
  ValueRange range;  // range of AP in the profiles
  bool intervals = true;
};
Plot comparePlot(const ComparedProfiles& data, const CompareOptions& options = {});

// Losses by position, and below the losses of all tokens, of repeated passages and of their first
// occurrences: absolute for one capture, relative to the first for several. `range`: of the upper box.
Plot lossPlot(const ComparedLosses& data, const ValueRange& range = {});
Plot comparedDepthsPlot(const ComparedDepths& data, const ValueRange& range = {}, bool intervals = true);
Plot comparedSharesPlot(const ComparedShares& data);
// Chart of the thesis: the first two series as lines with the gap shaded, the third as bars below
// (checkpointMetrics()).
Plot checkpointsPlot(const TrajectoryData& data, const ValueRange& range = {}, bool intervals = true);
// One metric: mean over heads with its standard deviation and its interval.
Plot trajectoryPlot(const TrajectoryData& data, const ValueRange& range = {}, bool intervals = true);
// Two correlations, for queries and keys, as lines with standard deviations (signalMetrics()).
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

// --- Causes, from the tables of `probe` and `study` -------------------------------------------------------

// Accuracy by length and depth, a map per kind of probe. InputError without such probes.
Plot probesPlot(const Table& probes);
// The heads with the highest retrieval scores.
Plot retrievalPlot(const Table& retrieval);
// The cost of changing the first heads of each ranking, with the band of random sets and of matched ones.
Plot dosesPlot(const Table& effects);
// The figures above with the table of each.
struct CausalFigure {
  const char *id, *table, *title;
  double proportion;  // height / width
  bool tall;          // has panels itself
  Plot (*plot)(const Table&);
};
std::span<const CausalFigure> causalFigures();

inline constexpr const char* kEdgesTable = "edges";
// The ends of all edges, ascending: the ids of the plot's points are indices into them. InputError.
std::vector<HeadName> compositionHeads(const Table& edges);
// Which heads feed which, layers from left to right: of the table edges those whose cut changes the loss; if
// none was cut, those with the highest scores. Edges of a selected head are emphasised. InputError.
Plot compositionPlot(const Table& edges, std::optional<HeadName> selected = {});

}  // namespace plastiscope
