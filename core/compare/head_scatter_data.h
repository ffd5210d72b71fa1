#pragma once
// All heads of several models as points: one metric against another.
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
  std::vector<HeadName> heads;  // that have both values
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
// The models of each family by themselves, in the order of their first model; the ranges stay.
std::vector<HeadScatterData> byFamily(const HeadScatterData& data);

Table tableOf(const HeadScatterData& data);  // model, family, layer, head, X, Y

}  // namespace plastiscope
