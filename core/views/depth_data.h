#pragma once
// A metric by layer: every head, and the layer's mean (for slope_ratio its median).
#include <cstdint>
#include <vector>

#include "core/views/head_interval.h"
#include "core/views/metric_info.h"
#include "core/views/study_facts.h"

namespace plastiscope {

// Layers with at least one value, ascending.
struct LayerMeans {
  std::vector<std::int64_t> layer, heads;  // heads: how many have a value
  std::vector<double> centre;              // mean, or median for slope_ratio
  std::vector<double> low, high;           // interval of the centre; NaN where there is none
  IntervalOver over = IntervalOver::None;
};

// Intervals over examples where the analysis has them, else over heads; medians have none over heads.
IntervalOver layerIntervals(const AnalysisFile& analysis, const std::string& column);
// `values`: one per head, NaN = missing; `over`: at most what layerIntervals returns.
LayerMeans layerMeans(const AnalysisFile& analysis, const std::vector<HeadName>& heads,
                      const std::vector<double>& values, const std::string& column, IntervalOver over);

struct DepthData {
  MetricInfo metric;
  std::int64_t layers = 0;
  std::vector<HeadName> heads;  // heads that have a value
  std::vector<double> values;   // [heads]
  LayerMeans means;
  std::int64_t examples = 0;  // in the capture; 0 = unknown
  bool median = false;
};

DepthData makeDepth(const AnalysisFile& analysis, const StudyFacts& facts, const std::string& column);

}  // namespace plastiscope
