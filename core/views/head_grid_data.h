#pragma once
// Grid of layers x heads, coloured by one metric.
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/views/head_interval.h"
#include "core/views/head_order.h"
#include "core/views/metric_info.h"
#include "core/views/study_facts.h"

namespace plastiscope {

struct HeadGridCell {
  bool captured = false;
  bool nope = false;      // no rotary embedding in this layer
  bool windowed = false;  // sliding or chunked attention
  double value = 0;       // NaN when captured but missing
};

// Arrangement of a grid. `similar`: headsBySimilarity(), needed for that order only; only with heads.
struct HeadGridShape {
  HeadOrder order = HeadOrder::Layers;
  HeadShow show = HeadShow::Heads;
  std::span<const HeadName> similar = {};
  ApKind plasticity = ApKind::Binned;  // shown beside the metric in a head's tool tip
};

struct HeadGridData {
  MetricInfo metric;
  std::int64_t layers = 0, heads = 0;  // rows and cells per row
  std::int64_t members = 1;            // heads per cell
  HeadOrder order = HeadOrder::Layers;
  std::vector<std::int64_t> placed;  // [layers * heads] index of the cell at each place, in reading order;
                                     // empty: cells in their own places
  std::int64_t groupSize = 1;        // query heads that share one key head: a gap follows each group
  std::vector<HeadGridCell> cells;   // [layers * heads], layer-major; named by layer and cell index
  std::map<std::int64_t, std::string> withoutVectors;  // layers without vectors: "cross" or "linear"
  double low = 0,
         high = 1;  // colour range of the data, symmetric around 0 for a signed metric
  std::int64_t shown = 0, missing = 0, notCaptured = 0;
  std::vector<double> ranked;                  // the known values, ascending
  std::vector<HeadSpread> spreads;             // [layers]
  std::shared_ptr<const AnalysisFile> source;  // for the tool tip of a head; may be null
  ApKind plasticity = ApKind::Binned;          // shown in that tool tip

  const HeadGridCell& at(std::int64_t layer, std::int64_t head) const {
    return cells[static_cast<std::size_t>(layer * heads + head)];
  }
  std::vector<bool> captured;  // [layers * heads * members] per head, where a cell has several
  HeadName cellOf(HeadName head) const { return {head.layer, head.head / members}; }
  HeadName cellAt(std::int64_t place) const;           // in reading order
  std::vector<HeadName> headsOf(HeadName cell) const;  // captured heads of the cell
  std::string nameOf(HeadName cell) const;             // "L12H6", "L12 KV0", "layer 12"
};

// Computes the spread of each layer from the cells.
void findSpreads(HeadGridData& grid);

// `column`: any numeric column of heads.csv; UsageError names the nearest one otherwise.
// `facts` as in study_facts.h (layers and heads that were not captured have cells too).
HeadGridData makeHeadGrid(std::shared_ptr<const AnalysisFile> analysis, const StudyFacts& facts,
                          const std::string& column, const HeadGridShape& shape = {});

// "14 of 5,120 from lowest", counted from the nearer end; equal values share the better rank. "" when the
// value is missing or the only one.
std::string rankText(const HeadGridData& grid, double value);

// Line of a cell's tool tip: the metric that colours the grid, its rank, then the most informative metrics of
// the head, at most six lines.
struct CardLine {
  std::string label, value;  // rich: "AP<sub>drop</sub>"; "0.292"
};
std::vector<CardLine> headCard(const HeadGridData& grid, HeadName cell);

}  // namespace plastiscope
