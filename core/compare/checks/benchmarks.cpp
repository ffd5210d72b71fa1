// Correlations with benchmarks and between predictors.
#include <algorithm>

#include "core/compare/benchmark_link.h"
#include "core/compare/checks/checks.h"
#include "core/compare/reference_data.h"

namespace plastiscope {

namespace {

struct PrintedCorrelation {
  const char* predictor;
  double pearson, spearman, p, low, high;
};
// method.md 10.6: recomputed once, with other programs; the thesis prints r with two decimals.
constexpr PrintedCorrelation kCorrelations[] = {
    {"ap_drop", -0.673537, -0.6429, 0.06845, -0.947, 0.161},
    {"ap_overall", 0.704686, 0.3571, 0.09107, -0.103, 0.952},
    {"ap_first20", -0.455559, -0.5714, 0.32817, -0.900, 0.453},
    {"ap_last20", 0.715514, 0.4643, 0.06071, -0.081, 0.954},
    {"bias_strength", -0.166827, -0.2965, 0.79762, -0.817, 0.670},
    {"plane_var_fraction", -0.741535, -0.4286, 0.07361, -0.959, 0.026}};

}  // namespace

void addCorrelations(Checks& checks) {
  const auto all = correlateBenchmark(referencePredictors(), loadBenchmark("longbench_pro"));
  for (const PrintedCorrelation& printed : kCorrelations) {
    for (const BenchmarkCorrelation& one : all) {
      if (one.predictor != printed.predictor || one.length || one.mode != "non_thinking") continue;
      const Correlation& r = one.result;
      const std::string with = std::string(" of ") + printed.predictor + " with LongBench-Pro",
                        models = "7 models";
      const std::string note = "n = 7, overall, non-thinking; none of the six predictors is significant";
      checks.push_back({"Pearson r" + with, models, printed.pearson, r.pearson, 5e-7 + 1e-9, note});
      checks.push_back({"Spearman rho" + with, models, printed.spearman, r.spearman, 5e-5 + 1e-9, note});
      checks.push_back(
          {"permutation p" + with, models, printed.p, r.permutationP, 5e-6 + 1e-9, "all 5,040 orders"});
      checks.push_back({"lower limit of r" + with, models, printed.low, r.pearsonInterval.low, kThirdDecimal,
                        "Fisher's z, 95 %"});
      checks.push_back({"upper limit of r" + with, models, printed.high, r.pearsonInterval.high,
                        kThirdDecimal, "Fisher's z, 95 %"});
      if (std::string(printed.predictor) != "ap_drop") continue;
      checks.push_back({"intercept of LongBench-Pro on AP_drop", models, 44.037, r.intercept, kThirdDecimal,
                        "least squares"});
      checks.push_back(
          {"slope of LongBench-Pro on AP_drop", models, -84.560, r.slope, kThirdDecimal, "least squares"});
    }
  }
}

void addCheckpointCorrelations(Checks& checks) {
  const PredictorTable predictors = referencePredictors();
  const Table checkpoints = referenceTable("smollm3_checkpoints");
  const auto& names = checkpoints.texts("checkpoint");
  std::vector<double> drop;
  std::vector<std::vector<double>> columns(predictors.columns.size());
  for (const PredictorRow& row : predictors.rows) {
    if (std::find(names.begin(), names.end(), row.model) == names.end()) continue;
    for (std::size_t c = 0; c < columns.size(); ++c) columns[c].push_back(row.values[c]);
  }
  const auto column = [&](const std::string& name) {
    return columns[static_cast<std::size_t>(
        std::find(predictors.columns.begin(), predictors.columns.end(), name) - predictors.columns.begin())];
  };
  drop = column("ap_drop");
  checks.push_back({"Pearson r of AP_drop with bias_strength", "10 checkpoints", -0.893,
                    pearsonOf(drop, column("bias_strength")), kThirdDecimal,
                    "per token: windows differ 16-fold"});
  checks.push_back({"Pearson r of AP_drop with Bn", "10 checkpoints", 0.950,
                    pearsonOf(drop, column("bias_window")), kThirdDecimal,
                    "per window the sign is the opposite"});
}

void addLengthMean(Checks& checks) {
  const Table table = referenceTable("longbench_pro_lengths");
  double sum = 0, count = 0;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (table.texts("model")[row] != "ministral3-14b") continue;
    sum += table.numbers("score")[row];
    count += 1;
  }
  const std::string note = "mean of the scores by length: those are from thinking mode";
  checks.push_back({"LongBench-Pro, thinking", "ministral3-14b", 45.80, sum / count, 0.005 + 1e-9, note});
  checks.push_back({"LongBench-Pro, overall", "ministral3-14b", 40.14, sum / count, 0.005 + 1e-9,
                    note + ", the printed overall score is not"});
}

}  // namespace plastiscope
