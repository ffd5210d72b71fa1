#pragma once
// How models follow each other: checkpoints of one run, sizes of a family, windows.
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/table.h"
#include "core/compare/compared_profiles.h"
#include "core/views/metric_info.h"

namespace plastiscope {

// One metric over the models, in their order: mean over heads and its spread.
struct TrajectorySeries {
  MetricInfo metric;
  std::vector<double> mean, sd;     // [models], NaN = missing; sd has divisor n
  std::vector<std::int64_t> heads;  // [models] that have a value; empty where it is not known
};

struct TrajectoryData {
  std::vector<ComparedName> models;
  std::vector<std::int64_t> windows;  // [models] tokens
  std::vector<TrajectorySeries> series;
  std::string published;  // how published numbers were read; empty for own ones
};

// UsageError names the nearest metric.
TrajectoryData makeTrajectory(const Comparison& comparison, const std::vector<std::string>& metrics);
// What the thesis follows over checkpoints: AP_first20 and AP_last20, bias_strength.
std::vector<std::string> checkpointMetrics();
std::vector<std::string> signalMetrics();  // r_q and r_k
// Where a run of one family changes its window: the models before which a new phase begins.
std::vector<std::size_t> phaseStarts(const std::vector<ComparedName>& models,
                                     const std::vector<std::int64_t>& windows);

Table tableOf(const TrajectoryData& data);  // index, model, metric, mean, sd, heads

}  // namespace plastiscope
