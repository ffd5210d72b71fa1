#pragma once
// The few facts about a study that every view needs, whether its capture is there or only its analysis.
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/settings.h"
#include "core/capture/head_choice.h"
#include "core/views/study.h"

namespace plastiscope {

struct StudyFacts {
  std::string model, architecture;
  std::int64_t layers = 0, queryHeads = 0, keyHeads = 0, headDim = 0;
  std::int64_t window = 0, bucketSize = 0;             // tokens
  std::int64_t ropeDim = 0;                            // rotated part of a head; head_dim unless partial
  bool ropeInterleaved = false;                        // pairs (2i, 2i+1) instead of (i, i + ropeDim/2)
  std::vector<std::string> exampleIds;                 // empty without the capture
  std::map<std::int64_t, std::string> withoutVectors;  // layers that have none: "cross" or "linear"

  std::int64_t groupSize() const { return keyHeads > 0 ? queryHeads / keyHeads : 1; }
};

// Which heads a figure speaks about: one head, the heads of one layer, or all.
struct HeadScope {
  std::optional<HeadName> head;
  std::optional<std::int64_t> layer;
  bool holds(HeadName name) const { return head ? name == *head : (!layer || name.layer == *layer); }
  std::string text() const;  // "L12H6", "layer 12", "all heads"
};

// From the capture when it is there, else from the analysis' provenance; counts that neither states are taken
// from heads.csv (largest index + 1).
StudyFacts factsOf(const Study& study);
StudyFacts factsOf(const AnalysisFile& analysis);

// The settings of an analysis; the defaults when it states none.
AnalysisSettings settingsOf(const AnalysisFile& analysis);
// UsageError when no captured head is in the scope.
void requireScope(const AnalysisFile& analysis, const HeadScope& scope);

// The captured heads in the order of heads.csv.
std::vector<HeadName> headsOf(const AnalysisFile& analysis);
// Row of a head in heads.csv; nothing when it was not captured.
std::optional<std::size_t> headRow(const Table& heads, HeadName head);
// A table that the analysis must have; InputError naming it otherwise.
const Table& requiredTable(const AnalysisFile& analysis, std::string_view name);
// A numeric cell widened to double; NaN when the column is missing, is text, or the cell is empty.
double numberAt(const Table& table, std::string_view column, std::size_t row);

}  // namespace plastiscope
