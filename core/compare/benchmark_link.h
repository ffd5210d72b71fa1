#pragma once
// Correlates predictors of many models with a benchmark, with n, p and interval of each.
#include <string>
#include <vector>

#include "core/compare/benchmark.h"
#include "core/compare/correlation.h"
#include "core/compare/family_correlation.h"

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

// Correlation of a predictor with the scores of one suite, mode and length.
struct BenchmarkCorrelation {
  std::string suite, mode;
  std::optional<std::int64_t> length;
  std::string predictor;
  std::vector<std::string> models;  // [points]
  std::vector<double> x, y;         // [points] predictor and score, both present
  Correlation result;
  std::vector<std::string> families = {};  // [points]
  FamilyCorrelation byFamily = {};
  double adjustedP = kMissing;  // over all predictors of this suite, mode and length
};
std::vector<BenchmarkCorrelation> correlateBenchmark(const PredictorTable& predictors,
                                                     const Benchmark& benchmark,
                                                     const CorrelationOptions& options = {});

// Correlation of AP in the bin of a length with the score at that length: per model over its lengths, per
// length over the models, and over all pairs. If all pairs are of one model, p and families are missing,
// because its ordered lengths are not exchangeable.
struct LengthCorrelation {
  std::string suite, mode, scope;  // scope: "model", "length" or "all"
  std::string model;               // with scope "model"
  std::optional<std::int64_t> length;
  std::vector<std::string> models;    // [points]
  std::vector<std::int64_t> lengths;  // [points]
  std::vector<double> ap, score;      // [points]
  Correlation result;
  std::vector<std::string> families = {};  // [points]
  FamilyCorrelation byFamily = {};
};
bool isOneModel(const std::vector<std::string>& models);
std::vector<LengthCorrelation> correlateLengths(const PredictorTable& predictors, const Benchmark& benchmark,
                                                const CorrelationOptions& options = {});

// Columns: benchmark, suite, mode, length, predictor, n, pearson, low, high, spearman, p, slope, slope_low,
// slope_high, intercept, families, p_families, family_low, family_high, families_missing, p_adjusted
Table correlationsTable(const std::string& benchmark, const std::vector<BenchmarkCorrelation>& all);
Table leaveOneOutTable(const std::vector<BenchmarkCorrelation>& all);     // ..., predictor, without, pearson
Table leaveFamilyOutTable(const std::vector<BenchmarkCorrelation>& all);  // ..., without, models, pearson
Table benchmarkPointsTable(
    const std::vector<BenchmarkCorrelation>& all);  // ..., predictor, model, value, score
Table lengthCorrelationsTable(const std::vector<LengthCorrelation>& all);
Table lengthPointsTable(const std::vector<LengthCorrelation>& all);
// All tables: correlations, leave_one_out, benchmark_points, length_correlations, length_points,
// leave_family_out.
std::vector<Table> linkTables(const PredictorTable& predictors, const Benchmark& benchmark,
                              const CorrelationOptions& options = {});

}  // namespace plastiscope
