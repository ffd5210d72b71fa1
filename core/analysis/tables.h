#pragma once
// Makes the tables of an analysis (metrics.md) from the results of the heads, in order of layer and head.
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "core/analysis/head_analysis.h"
#include "core/analysis/loss_summary.h"
#include "core/base/table.h"

namespace plastiscope {

// RoPE frequencies and pairing of a layer.
struct RopePairs {
  std::vector<double> frequencies;  // rad / token, by pair
  bool interleaved = false;         // pairs (2i, 2i + 1) instead of (i, i + rotated / 2)
  std::int64_t first = 0;           // first rotated dimension
};

struct HeadSamples;

// A text of the capture.
struct TextFact {
  std::string id, sha256;
  std::int64_t tokens = 0;
};

// Further input of tables. Unknown values are left out of the tables.
struct TableContext {
  AnalysisSettings settings;
  std::int64_t layers = 0;                   // of the model; 0: up to the last captured one
  std::map<std::int64_t, RopePairs> rope;    // by layer; none for layers without RoPE
  std::optional<LossSummary> losses = {};    // of a capture with --loss
  std::vector<LossSummary> textLosses = {};  // [texts] likewise
  std::vector<TextFact> texts = {};
  // Values without each group of texts; empty or null: not known.
  std::span<const HeadSamples> leftOut = {};
  const Resamples* groups = nullptr;
};

// All tables of the results, in the order of the list in tables.cpp.
std::vector<Table> makeTables(const std::vector<HeadResult>& heads, const TableContext& context = {});
// The same for results with only the computed stages: takes the rest from the tables of an earlier analysis
// of the same heads. Nothing if those do not fit.
std::optional<std::vector<Table>> makeTables(const std::vector<HeadResult>& heads,
                                             const TableContext& context, const AnalysisStages& computed,
                                             const std::vector<Table>& earlier);

// Names of all possible tables.
std::vector<std::string> tableNames();

Table headsTable(const std::vector<HeadResult>& heads);

// Means over heads of every measured column of heads.csv, each with the number of heads that had a value;
// also slope_ratio_median, because slope_ratio is heavy-tailed.
Table layersTable(const Table& heads);
Table modelTable(const Table& heads);

// Start of sparseRangesWarning().
inline constexpr const char* kSparseRanges = "more than 5 % of the bins";
// Warning about ranges of the profile with more than 5 % of the bins missing; "" if there is none.
std::string sparseRangesWarning(const std::vector<HeadResult>& heads);

}  // namespace plastiscope
