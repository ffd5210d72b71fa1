#pragma once
// Predictors against the scores of a benchmark, ready to be drawn: the thesis' models and a person's own
// analyses beside them.
#include <optional>
#include <string>
#include <vector>

#include "core/compare/benchmark_link.h"
#include "core/compare/comparison.h"
#include "core/compare/correlation.h"
#include "core/views/metric_info.h"

namespace plastiscope {

// Scores that may be compared with each other. `byLength`: AP in the bin that ends at a length against the
// score at that length, over all models and lengths.
struct ScoreGroup {
  std::string suite, mode;
  std::optional<std::int64_t> length;
  bool byLength = false;
  bool operator==(const ScoreGroup&) const = default;
  std::string text()
      const;  // "overall/non_thinking", "ruler_paper//32768", "ruler_paper//lengths": one argument
  std::string title() const;  // "overall, non-thinking", "ruler paper, 32K", "..., by length"
};

struct BenchmarkChoice {
  std::string predictor;  // "" = ap_drop; taken by no group that is byLength
  std::string group;      // ScoreGroup::text(); "" = the first with the most models
  bool operator==(const BenchmarkChoice&) const = default;
};

// Own analyses as predictors.
struct OwnModels {
  PredictorTable predictors;
  std::vector<std::string> families;  // [predictors.rows]
};

struct BenchmarkPoint {
  std::string model, title, family;    // id or name; as shown; its look
  std::string replicate;               // family in statistics, "" = not known
  std::optional<std::int64_t> length;  // of a group that is byLength
  double x = 0, y = 0;
  bool own = false;
  bool counted = true;  // false: an own analysis of a model that stands there already
  double without = std::numeric_limits<double>::quiet_NaN();  // Pearson's r without it
  std::string label() const;                                  // "Llama-3.1-8B 32K"
};

// One row of the table beside the picture.
struct PredictorResult {
  MetricInfo metric;
  Correlation result;
  FamilyCorrelation byFamily;
  double adjustedP = kMissing;  // among all of them
};

struct BenchmarkData {
  std::string title, content, source;  // "LongBench-Pro"; what it is; its name or file
  std::vector<std::string> caveats;
  std::vector<ScoreGroup> groups;  // that can be chosen
  ScoreGroup group;
  MetricInfo predictor;
  std::vector<BenchmarkPoint> points;
  Correlation result;  // of the points that count
  FamilyCorrelation byFamily;
  RegressionLine line;
  std::vector<PredictorResult> predictors;  // that have points, in the order of referencePredictors()
  std::vector<std::string> withoutScore;    // own analyses that are no point: without a score or a value
};

// The columns that can be chosen: those of referencePredictors().
std::vector<MetricInfo> benchmarkPredictors();
// UsageError: an unknown predictor or group (the known ones are named). Stopped: through `progress`.
BenchmarkData makeBenchmarkData(const Benchmark& benchmark, const OwnModels& own,
                                const BenchmarkChoice& choice = {});
// part (point | leave_one_out | line | statistic), name, family, origin, counted, x, y, low, high
Table tableOf(const BenchmarkData& data);

}  // namespace plastiscope
