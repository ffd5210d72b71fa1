#pragma once
// Layers x heads, coloured by one metric.
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/views/metric_info.h"
#include "core/views/study_facts.h"

namespace plastiscope {

struct HeadGridCell {
  bool captured = false;
  bool nope = false;      // no rotary embedding in this layer
  bool windowed = false;  // sliding or chunked attention
  double value = 0;       // NaN when captured but missing
};

struct HeadGridData {
  MetricInfo metric;
  std::int64_t layers = 0, heads = 0;
  std::int64_t groupSize = 1;       // query heads that share one key head: a gap follows each group
  std::vector<HeadGridCell> cells;  // [layers * heads], layer-major
  std::map<std::int64_t, std::string> withoutVectors;  // layers that have none: "cross" or "linear"
  double low = 0,
         high = 1;  // colour range: that of the data, symmetric around 0 when the metric is signed
  std::int64_t shown = 0, missing = 0, notCaptured = 0;
  std::shared_ptr<const AnalysisFile> source;  // for the card of a head; may be null

  const HeadGridCell& at(std::int64_t layer, std::int64_t head) const {
    return cells[static_cast<std::size_t>(layer * heads + head)];
  }
};

// `column`: any numeric column of heads.csv; UsageError names the nearest one otherwise.
// `facts` as in study_facts.h (layers and heads that were not captured have cells too).
HeadGridData makeHeadGrid(std::shared_ptr<const AnalysisFile> analysis, const StudyFacts& facts,
                          const std::string& column);

// Everything known about a head, in reading order: "AP<sub>drop</sub>" -> "0.292".
struct CardLine {
  std::string group, label, value, unit;
};
std::vector<CardLine> headCard(const AnalysisFile& analysis, HeadName head);

}  // namespace plastiscope
