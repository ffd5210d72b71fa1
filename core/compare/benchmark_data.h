#pragma once
// Chart data of predictors against the scores of a benchmark, for the models of the thesis and own analyses.
#include <optional>
#include <string>
#include <vector>

#include "core/compare/benchmark_link.h"
#include "core/compare/comparison.h"
#include "core/compare/correlation.h"
#include "core/views/metric_info.h"

namespace plastiscope {

// Comparable scores. `byLength`: AP in the bin that ends at a length against the score at that length, over
// all models and lengths.
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
  std::string predictor;  // "" = ap_drop; not used by groups with byLength
  std::string group;      // ScoreGroup::text(); "" = the first group with the most models
  bool operator==(const BenchmarkChoice&) const = default;
};

// Predictors from own analyses.
struct OwnModels {
  PredictorTable predictors;
  std::vector<std::string> families;  // [predictors.rows]
};

struct BenchmarkPoint {
  std::string model, title, family;    // id or name; as shown; family for its look
  std::string replicate;               // family used in statistics, "" = not known
  std::optional<std::int64_t> length;  // in groups with byLength
  double x = 0, y = 0;
  bool own = false;
  bool counted = true;  // false: own analysis of a model that is already counted
  double without = std::numeric_limits<double>::quiet_NaN();  // Pearson's r without this point
  std::string label() const;                                  // "Llama-3.1-8B 32K"
};

// One row of the table next to the chart.
struct PredictorResult {
  MetricInfo metric;
  Correlation result;
  FamilyCorrelation byFamily;
  double adjustedP = kMissing;  // adjusted for all predictors
};

struct BenchmarkData {
  std::string title, content, source;  // "LongBench-Pro"; description; name or file
  std::vector<std::string> caveats;
  std::vector<ScoreGroup> groups;  // available ones
  ScoreGroup group;
  MetricInfo predictor;
  std::vector<BenchmarkPoint> points;
  Correlation result;  // of the counted points
  FamilyCorrelation byFamily;
  RegressionLine line;
  std::vector<PredictorResult> predictors;  // those with points, in the order of referencePredictors()
  std::vector<std::string> withoutScore;    // own analyses left out: without a score or a value
};

// The available predictors: columns of referencePredictors().
std::vector<MetricInfo> benchmarkPredictors();
// UsageError: an unknown predictor or group (lists the known ones).
BenchmarkData makeBenchmarkData(const Benchmark& benchmark, const OwnModels& own,
                                const BenchmarkChoice& choice = {});
// Columns: part (point | leave_one_out | line | statistic), name, family, origin, counted, x, y, low, high
Table tableOf(const BenchmarkData& data);

}  // namespace plastiscope
