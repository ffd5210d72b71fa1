#pragma once
// Chart data of all heads of several models: scatter plots of two metrics, histograms of one, a metric by
// relative depth, also as a map of models and tenths of the depth; the classes of the heads; shares of
// variance.
#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/base/table.h"
#include "core/compare/compared_profiles.h"
#include "core/views/depth_data.h"
#include "core/views/metric_info.h"

namespace plastiscope {

struct HeadScatterModel {
  ComparedName model;
  std::vector<HeadName> heads;  // with both values
  std::vector<double> x, y;     // [heads]
};

struct HeadScatterData {
  MetricInfo x, y;
  std::pair<double, double> xRange, yRange;  // of all models, also where they are drawn apart
  std::vector<double> xLevels, yLevels;      // the classes' thresholds; for r_q and r_k
  std::vector<HeadScatterModel> models;
  double r = 0;  // Pearson, over all heads; NaN for fewer than 3

  std::size_t heads() const;
};

// UsageError names the nearest metric.
HeadScatterData makeHeadScatter(const Comparison& comparison, const std::string& x, const std::string& y);
// Splits `data`, whose `models` have a ComparedName `model`, into one copy per family, in the order of their
// first model.
template <typename Data>
std::vector<Data> splitByFamily(const Data& data) {
  std::vector<Data> families;
  for (const auto& model : data.models) {
    auto found = std::find_if(families.begin(), families.end(), [&model](const Data& family) {
      return family.models.front().model.family == model.model.family;
    });
    if (found == families.end()) {
      families.push_back(data);
      found = families.end() - 1;
      found->models.clear();
    }
    found->models.push_back(model);
  }
  return families;
}
// One plot per family, in the order of their first model, with the same ranges.
std::vector<HeadScatterData> byFamily(const HeadScatterData& data);

Table tableOf(const HeadScatterData& data);  // model, family, layer, head, X, Y

// ---- histograms on one scale

struct DensityModel {
  ComparedName model;
  std::vector<double> density;  // [edges - 1], per unit of the metric; with `outside` the integral is 1
  std::int64_t heads = 0;       // with a value
  std::int64_t outside = 0;     // below the first or above the last edge
};

struct DensityData {
  MetricInfo metric;
  std::vector<double> edges;  // of all models, also where they are drawn apart
  double highest = 0;         // largest density of all models
  std::vector<DensityModel> models;
};

// 40 bins over the middle 99 % of all heads. UsageError names the nearest metric.
DensityData makeDensity(const Comparison& comparison, const std::string& metric);
// One histogram per family, with the same scales.
std::vector<DensityData> byFamily(const DensityData& data);

Table tableOf(const DensityData& data);  // model, family, from, to, density, heads

// ---- By depth, and shares of a whole

struct ComparedDepth {
  ComparedName model;
  LayerMeans means;
  std::vector<double> depth;             // [layers of the means] 0 = first layer, 1 = last
  std::int64_t heads = 0, examples = 0;  // with a value; of the analysis, 0 = not known
  ReferenceCurve published;              // over relative depth; empty unless asked for and known
};
struct ComparedDepths {
  MetricInfo metric;
  bool median = false;
  IntervalOver over = IntervalOver::None;
  std::vector<ComparedDepth> models;
};
// `published`: adds the thesis' values of known models and metrics. UsageError names the nearest metric.
ComparedDepths compareDepths(const Comparison& comparison, const std::string& metric, bool published = false);

// Map of a metric: columns are tenths of the layers, rows are models.
inline constexpr std::size_t kDepthDeciles = 10;

struct DepthMapRow {
  ComparedName model;
  std::array<double, kDepthDeciles> value{};        // mean over heads (median for slope_ratio); NaN = missing
  std::array<std::int64_t, kDepthDeciles> heads{};  // 0 (not known) for published values
};

struct DepthMapData {
  MetricInfo metric;
  bool median = false;
  std::vector<DepthMapRow> rows;
  std::string published;  // source of published numbers, "digitised"; "" for own ones
};

// UsageError names the nearest metric.
DepthMapData makeDepthMap(const Comparison& comparison, const std::string& metric);

// Parts of a whole for each model, such as classes of heads: the shares of a model sum to 1, or all are
// missing.
struct ComparedShares {
  std::string id;                   // "taxonomy", "variance"
  std::vector<std::string> names;   // [parts] values of a column: "mixed"; "a"
  std::vector<std::string> titles;  // [parts] shown names
  std::vector<ComparedName> models;
  std::vector<std::vector<double>> share;  // [models][parts]
  std::vector<std::int64_t> heads;         // [models] counted heads; empty if not known
  std::string published;                   // source of published numbers; "" for own ones
};
// Shares of the head classes on PC0; heads without a class are left out.
ComparedShares compareTaxonomy(const Comparison& comparison);
// Shares of variance of queries and keys along a, along b and outside the plane: mean over heads. All missing
// if an analysis does not have them.
ComparedShares compareVariance(const Comparison& comparison);

ComparedShares taxonomyParts();  // names only, no model
ComparedShares varianceParts();
inline constexpr const char* kPublishedClasses = "smollm3_pca";  // reference table with shares of classes
std::vector<double> publishedClassShares(const PublishedTable& table, const std::string& model);

// Columns: model, layer, relative_depth, heads, METRIC, METRIC_low, METRIC_high, interval_over; published
// values have neither layer nor heads
Table tableOf(const ComparedDepths& data);
Table tableOf(const DepthMapData& data);    // model, depth_decile, heads, METRIC
Table tableOf(const ComparedShares& data);  // model, part, share, heads

}  // namespace plastiscope
