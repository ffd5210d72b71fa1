#pragma once
// Chart data of all heads of several models: scatter plots of two metrics, and histograms of one.
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/base/table.h"
#include "core/compare/compared_profiles.h"
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

}  // namespace plastiscope
