#pragma once
// A metric by layer: every head, and the layer's mean (median for slope_ratio; method.md 6).
#include <cstdint>
#include <vector>

#include "core/views/metric_info.h"
#include "core/views/study_facts.h"

namespace plastiscope {

struct DepthData {
  MetricInfo metric;
  std::int64_t layers = 0;
  std::vector<HeadName> heads;           // heads that have a value
  std::vector<double> values;            // [heads]
  std::vector<std::int64_t> layer;       // layers with at least one value, ascending
  std::vector<double> centre;            // [layer] mean, or median for slope_ratio
  std::vector<std::int64_t> layerHeads;  // [layer] how many heads
  bool median = false;
};

DepthData makeDepth(const AnalysisFile& analysis, const StudyFacts& facts, const std::string& column);

}  // namespace plastiscope
