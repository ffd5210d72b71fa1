#pragma once
// Correlates predictors of many models with a benchmark, with n, p and interval of each.
#include <string>
#include <vector>

#include "core/compare/benchmark.h"
#include "core/compare/correlation.h"

namespace plastiscope {

// Measured values of one model.
struct PredictorRow {
  std::string model;                 // shown
  std::vector<std::string> aliases;  // further names of it in benchmarks
  std::vector<double> values;        // [columns], NaN = missing
  // Mean AP over query positions from `from` to `to` tokens, for correlations by length.
  struct LengthAp {
    std::string ranges;  // longbench_pro, ruler
    std::int64_t from = 0, to = 0;
    double ap = 0;
  };
  std::vector<LengthAp> lengths;
  std::string family = {};  // published family or architecture; "" = not known
};

struct PredictorTable {
  std::vector<std::string> columns;  // "ap_drop", "bias_window", ...
  std::vector<PredictorRow> rows;
  std::string source;  // "thesis", a file, "own analyses"
};

// Predictors published in the thesis; AP_drop = AP_first20 - AP_last20.
PredictorTable referencePredictors();
// Reads a CSV file with the column model, numeric columns and optionally the text column family; without it
// the families of published models are used. InputError with line and column.
PredictorTable readPredictors(const std::string& file);

// Correlation of values of models with their scores in one suite and mode: of a predictor, or of AP in the
// bin that ends at the length of the score.
struct ScoreCorrelation {
  std::string suite, mode;
  std::optional<std::int64_t> length;         // of the scores; none: overall scores, or several lengths
  std::string predictor;                      // "" for AP by length
  std::string scope, model;                   // of AP by length: "model" (its name), "length" or "all"
  std::vector<std::string> models, families;  // [points]
  std::vector<std::int64_t> lengths;          // [points] of AP by length, else empty
  std::vector<double> x, y;                   // [points] value and score, both present
  Correlation result = {};
  FamilyCorrelation byFamily = {};
  double adjustedP = kMissing;  // over all predictors of this suite, mode and length

  // Correlates the points. If all are lengths of one model, p and families stay missing, because ordered
  // lengths are not exchangeable.
  void correlatePoints(const CorrelationOptions& options);
};
// One for each predictor and each group of scores of one suite, mode and length.
std::vector<ScoreCorrelation> correlateBenchmark(const PredictorTable& predictors, const Benchmark& benchmark,
                                                 const CorrelationOptions& options = {});
// AP by length: per model over its lengths, per length over the models, and over all pairs.
std::vector<ScoreCorrelation> correlateLengths(const PredictorTable& predictors, const Benchmark& benchmark,
                                               const CorrelationOptions& options = {});

// Columns: benchmark, suite, mode, length, predictor, n, pearson, low, high, spearman, p, slope, slope_low,
// slope_high, intercept, families, p_families, family_low, family_high, families_missing, p_adjusted
Table correlationsTable(const std::string& benchmark, const std::vector<ScoreCorrelation>& all);
Table leaveFamilyOutTable(const std::vector<ScoreCorrelation>& all);  // ..., without, models, pearson
// All tables: correlations, leave_one_out, benchmark_points, length_correlations, length_points,
// leave_family_out.
std::vector<Table> linkTables(const PredictorTable& predictors, const Benchmark& benchmark,
                              const CorrelationOptions& options = {});

}  // namespace plastiscope
