#pragma once
// Basic facts about a study, from its capture or, without one, from its analysis.
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/settings.h"
#include "core/capture/head_list.h"
#include "core/store/table_columns.h"
#include "core/views/plasticity_choice.h"
#include "core/views/study.h"

namespace plastiscope {

struct StudyFacts {
  std::string model, architecture;
  std::int64_t layers = 0, queryHeads = 0, keyHeads = 0, headDim = 0;
  std::int64_t window = 0, bucketSize = 0;             // tokens
  std::int64_t ropeDim = 0;                            // rotated dimensions per head in full layers
  std::int64_t ropeFirst = 0;                          // the first of them
  bool ropeInterleaved = false;                        // pairs (2i, 2i+1) instead of (i, i + ropeDim/2)
  std::vector<std::string> exampleIds;                 // empty without the capture
  std::map<std::int64_t, std::string> withoutVectors;  // layers without vectors: "cross" or "linear"

  // Sizes of layers that differ from the model; 0: as in the model.
  struct LayerSizes {
    std::int64_t keyHeads = 0, headDim = 0;
  };
  std::map<std::int64_t, LayerSizes> ownSizes;

  std::int64_t groupSize() const { return keyHeads > 0 ? queryHeads / keyHeads : 1; }
  std::int64_t groupSize(std::int64_t layer) const;
  std::int64_t headDimOf(std::int64_t layer) const;
};

// Heads that a figure covers: one head, several, the heads of one layer, or all.
struct HeadScope {
  std::optional<HeadName> head;
  std::optional<std::int64_t> layer;
  std::vector<HeadName> several = {};  // ascending
  bool holds(HeadName name) const;
  std::string text() const;  // "L12H6", "40 selected heads", "layer 12", "all heads"
};

// From the capture if there is one, else from the analysis' provenance; counts missing there are taken from
// heads.csv (largest index + 1).
StudyFacts factsOf(const Study& study);
StudyFacts factsOf(const AnalysisFile& analysis);

// "overridden (model: 100,000)" for a capture with other RoPE settings than its model's; "" otherwise.
std::string overriddenRopeText(const CaptureInfo& capture);

// The settings of an analysis; the defaults when it has none.
AnalysisSettings settingsOf(const AnalysisFile& analysis);
// UsageError when no captured head is in the scope.
void requireScope(const AnalysisFile& analysis, const HeadScope& scope);
// The rows of a table of the analysis that belong to heads of the scope, ascending.
std::vector<RowRun> rowsIn(const HeadScope& scope, const AnalysisFile& analysis, const Table& table);

// The captured heads in the order of heads.csv.
std::vector<HeadName> headsOf(const Table& heads);
std::vector<HeadName> headsOf(const AnalysisFile& analysis);
// The head selected at first: the largest AP drop, or the middle head where none has a drop; nullopt without
// heads.
std::optional<HeadName> headOfInterest(const AnalysisFile& analysis, ApKind plasticity = ApKind::Binned);
// Row of a head in heads.csv; nothing when it was not captured.
std::optional<std::size_t> headRow(const Table& heads, HeadName head);
std::optional<std::size_t> headRow(const AnalysisFile& analysis, HeadName head);
// A table that the analysis must have; InputError with its name otherwise.
const Table& requiredTable(const AnalysisFile& analysis, std::string_view name);

// Mean and count of the values that are not missing; NaN when there are none.
class MeanOf {
 public:
  void add(double value) {
    if (value == value) {
      m_sum += value;
      ++m_count;
    }
  }
  std::int64_t count() const { return m_count; }
  double value() const { return m_count == 0 ? kMissing : m_sum / static_cast<double>(m_count); }

 private:
  double m_sum = 0;
  std::int64_t m_count = 0;
};

}  // namespace plastiscope
