#pragma once
// How a metric is spread over the heads of several models: histograms on one scale.
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/table.h"
#include "core/compare/compared_profiles.h"
#include "core/views/metric_info.h"

namespace plastiscope {

struct DensityModel {
  ComparedName model;
  std::vector<double> density;  // [edges - 1], per unit of the metric: with the heads outside the sum is 1
  std::int64_t heads = 0;       // that have a value
  std::int64_t outside = 0;     // below the first or above the last edge
};

struct DensityData {
  MetricInfo metric;
  std::vector<double> edges;  // of all models, also where they are drawn apart
  double highest = 0;         // density of all models
  std::vector<DensityModel> models;
};

// 40 bins over the middle 99 % of all heads. UsageError names the nearest metric.
DensityData makeDensity(const Comparison& comparison, const std::string& metric);
// The models of each family by themselves; the scales stay.
std::vector<DensityData> byFamily(const DensityData& data);

Table tableOf(const DensityData& data);  // model, family, from, to, density, heads

}  // namespace plastiscope
