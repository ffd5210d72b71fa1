#pragma once
// Why AP falls with position (resources/help/aligned.md): placement of queries and keys against their
// content; and how far position alone determines the scores of keys or the keys themselves.
#include <cstdint>
#include <string>
#include <vector>

#include "core/analysis/statistics.h"
#include "core/views/head_interval.h"
#include "core/views/study_facts.h"

namespace plastiscope {

// Part of a sum, for one head or as a mean over heads.
struct SplitPart {
  double value = kMissing;
  Interval interval = {};
  IntervalOver over = IntervalOver::None;
};

// Mean of a column of heads over the scope, with its interval: over examples for one head and for all heads,
// else over heads.
SplitPart estimateOf(const AnalysisFile& analysis, const HeadScope& scope, const std::string& column);

struct PlacementData {
  std::vector<double> content, position;  // midpoints of the bins, tokens, ascending
  std::vector<double> ap;  // [content * position] of the rows of bin u placed at bin v; NaN = missing
  SplitPart drop, ofPlacement, ofContent;  // drop = placement + content
  std::string scopeText;
  double at(std::size_t u, std::size_t v) const { return ap[u * position.size() + v]; }
};
// Reads the table placement, and drop_placement and drop_content of heads. InputError if they are missing.
PlacementData makePlacement(const AnalysisFile& analysis, const HeadScope& scope);
Table tableOf(const PlacementData& data);  // content, position, ap

struct SalienceData {
  std::vector<double> distance;     // tokens, ascending
  std::vector<double> field;        // [distance] beta(D) of the mean vectors, logits
  std::vector<double> measured;     // [distance] mean score of the pairs at that distance; NaN = none
  std::vector<std::int64_t> pairs;  // [distance]
  SplitPart ofPosition, ofSalience;  // shares of the rigidity 1 - AP
  std::string scopeText;
};
// Reads the table salience, and rigidity_position and rigidity_salience of heads. InputError as above.
SalienceData makeSalience(const AnalysisFile& analysis, const HeadScope& scope);
Table tableOf(const SalienceData& data);  // distance, mean_field_bias, measured_score, measured_pairs

}  // namespace plastiscope
