#pragma once
// A metric over depth and models: ten shares of the layers across, models down.
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/table.h"
#include "core/compare/compared_profiles.h"
#include "core/views/metric_info.h"

namespace plastiscope {

inline constexpr std::size_t kDepthDeciles = 10;

struct DepthMapRow {
  ComparedName model;
  std::array<double, kDepthDeciles> value{};        // mean over heads (median for slope_ratio); NaN = missing
  std::array<std::int64_t, kDepthDeciles> heads{};  // 0 for published values: how many is not known
};

struct DepthMapData {
  MetricInfo metric;
  bool median = false;
  std::vector<DepthMapRow> rows;
  std::string published;  // how published numbers were read, "digitised"; empty for own ones
};

// UsageError names the nearest metric.
DepthMapData makeDepthMap(const Comparison& comparison, const std::string& metric);

Table tableOf(const DepthMapData& data);  // model, depth_decile, heads, METRIC

}  // namespace plastiscope
