#pragma once
// Layers x heads, coloured by one metric.
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/views/head_order.h"
#include "core/views/head_spread.h"
#include "core/views/metric_info.h"
#include "core/views/study_facts.h"

namespace plastiscope {

struct HeadGridCell {
  bool captured = false;
  bool nope = false;      // no rotary embedding in this layer
  bool windowed = false;  // sliding or chunked attention
  double value = 0;       // NaN when captured but missing
};

// How a grid is arranged. `similar`: headsBySimilarity(), needed for that order only, which is one of heads.
struct HeadGridShape {
  HeadOrder order = HeadOrder::Layers;
  HeadShow show = HeadShow::Heads;
  std::span<const HeadName> similar = {};
  ApKind plasticity = ApKind::Binned;  // told of a head beside the metric
};

struct HeadGridData {
  MetricInfo metric;
  std::int64_t layers = 0, heads = 0;  // rows and cells of a row
  std::int64_t members = 1;            // heads of a cell
  HeadOrder order = HeadOrder::Layers;
  std::vector<std::int64_t> placed;  // [layers * heads] which cell stands at each place, in reading order;
                                     // empty: each at its own
  std::int64_t groupSize = 1;        // query heads that share one key head: a gap follows each group
  std::vector<HeadGridCell> cells;   // [layers * heads], layer-major; a name is that of a layer and a cell
  std::map<std::int64_t, std::string> withoutVectors;  // layers that have none: "cross" or "linear"
  double low = 0,
         high = 1;  // colour range: that of the data, symmetric around 0 when the metric is signed
  std::int64_t shown = 0, missing = 0, notCaptured = 0;
  std::vector<double> ranked;                  // the known values, ascending
  std::vector<HeadSpread> spreads;             // [layers]
  std::shared_ptr<const AnalysisFile> source;  // for the card of a head; may be null
  ApKind plasticity = ApKind::Binned;  // of that card

  const HeadGridCell& at(std::int64_t layer, std::int64_t head) const {
    return cells[static_cast<std::size_t>(layer * heads + head)];
  }
  std::vector<bool> captured;  // [layers * heads * members] of heads, where a cell has several
  HeadName cellOf(HeadName head) const { return {head.layer, head.head / members}; }
  HeadName cellAt(std::int64_t place) const;           // in reading order
  std::vector<HeadName> headsOf(HeadName cell) const;  // those that were captured
  std::string nameOf(HeadName cell) const;             // "L12H6", "L12 KV0", "layer 12"
};

// Of each layer, from the cells.
void findSpreads(HeadGridData& grid);

// `column`: any numeric column of heads.csv; UsageError names the nearest one otherwise.
// `facts` as in study_facts.h (layers and heads that were not captured have cells too).
HeadGridData makeHeadGrid(std::shared_ptr<const AnalysisFile> analysis, const StudyFacts& facts,
                          const std::string& column, const HeadGridShape& shape = {});

// "14 of 5,120 from lowest", counted from the nearer end; equal values share the better place. "" for a value
// that is missing or the only one.
std::string rankText(const HeadGridData& grid, double value);

// What a tool tip says of a cell: the metric that colours the grid, its rank, then what tells most about a
// head, six lines at most.
struct CardLine {
  std::string label, value;  // rich: "AP<sub>drop</sub>"; "0.292"
};
std::vector<CardLine> headCard(const HeadGridData& grid, HeadName cell);

}  // namespace plastiscope
