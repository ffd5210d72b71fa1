#pragma once
// Chart data of a family of models: a metric by relative depth, also as a map of models and tenths of the
// depth; the classes of the heads; the shares of variance.
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/table.h"
#include "core/compare/compared_profiles.h"
#include "core/views/depth_data.h"
#include "core/views/metric_info.h"

namespace plastiscope {

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

// Shares of a whole for every model: each row sums to 1, or is all missing.
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

ComparedShares varianceParts();  // names only, no model

// Columns: model, layer, relative_depth, heads, METRIC, METRIC_low, METRIC_high, interval_over; published
// values have neither layer nor heads
Table tableOf(const ComparedDepths& data);
Table tableOf(const DepthMapData& data);    // model, depth_decile, heads, METRIC
Table tableOf(const ComparedShares& data);  // model, part, share, heads

}  // namespace plastiscope
