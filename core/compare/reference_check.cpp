#include "core/compare/reference_check.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "core/analysis/ap_summary.h"
#include "core/base/error.h"
#include "core/compare/benchmark_link.h"
#include "core/compare/compared_profiles.h"
#include "core/compare/csv_text.h"
#include "core/compare/measures.h"
#include "core/compare/reference_data.h"

namespace plastiscope {

namespace {

using Checks = std::vector<ReferenceCheck>;

constexpr double kThirdDecimal = 0.0005 + 1e-9;  // half a unit of the last printed digit

// ---- Plasticity

// Tolerance for the difference of two numbers rounded to four decimals, compared with one rounded to three.
constexpr double kDropRounding = 0.0006 + 1e-9;

// Drops printed with another third decimal elsewhere in the thesis.
constexpr std::pair<const char*, double> kOtherDrops[] = {
    {"ministral3-8b", 0.083}, {"qwen3-0.6b", 0.169}, {"qwen3-4b", 0.187}, {"qwen3-8b", 0.177}};

std::array<double, 10> decilesOf(const Table& table, const std::string& model) {
  std::array<double, 10> deciles{};
  for (std::size_t k = 0; k < deciles.size(); ++k)
    deciles[k] = referenceValue(table, "ap", {{"model", model}, {"decile", std::to_string(k + 1)}});
  return deciles;
}

// Half a unit of the last digit of a number in a shipped table.
double halfUnitOf(const std::string& table, std::size_t row, const std::string& column) {
  const CsvText csv = parseCsv(requiredReference(table).csv, table);
  const std::string& text = csv.rows.at(row).at(csv.column(column).value());
  const std::size_t point = text.find('.');
  const std::size_t decimals = point == std::string::npos ? 0 : text.size() - point - 1;
  return 0.5 * std::pow(10, -static_cast<double>(decimals));
}

void addDrops(Checks& checks) {
  for (const auto& [name, key] :
       {std::pair{"plasticity_models", "model"}, {"smollm3_checkpoints", "checkpoint"}}) {
    const Table table = referenceTable(name);
    for (std::size_t row = 0; row < table.rows(); ++row) {
      const double drop = table.numbers("ap_first20")[row] - table.numbers("ap_last20")[row];
      checks.push_back({"AP_drop", table.texts(key)[row], table.numbers("ap_drop")[row], drop, kDropRounding,
                        "AP_first20 - AP_last20"});
    }
  }
  const Table models = referenceTable("plasticity_models");
  for (const auto& [model, printed] : kOtherDrops) {
    const double first = referenceValue(models, "ap_first20", {{"model", model}}),
                 last = referenceValue(models, "ap_last20", {{"model", model}});
    checks.push_back({"AP_drop, as printed elsewhere", model, printed, first - last, kThirdDecimal,
                      "printed with two different third decimals; AP_first20 - AP_last20 decides"});
  }
  const Table checkpoints = referenceTable("smollm3_checkpoints");
  const auto ofCheckpoint = [&](const char* column) {
    return referenceValue(checkpoints, column, {{"checkpoint", "lc1-20k"}});
  };
  checks.push_back({"AP_last20", "lc1-20k", ofCheckpoint("ap_last20"),
                    ofCheckpoint("ap_first20") - ofCheckpoint("ap_drop"), kDropRounding,
                    "AP_first20 - AP_drop; 0.4356 is taken"});
}

void addQuintiles(Checks& checks) {
  const Table quintiles = referenceTable("plasticity_quintiles"),
              deciles = referenceTable("plasticity_deciles");
  for (std::size_t row = 0; row < quintiles.rows(); ++row) {
    const std::string& model = quintiles.texts("model")[row];
    const auto k = static_cast<std::size_t>(quintiles.numbers("quintile")[row]);
    const auto parts = decilesOf(deciles, model);
    checks.push_back({"quintile " + std::to_string(k), model, quintiles.numbers("ap")[row],
                      (parts[2 * k - 2] + parts[2 * k - 1]) / 2, 0.002 + 1e-9,
                      "mean of two deciles; uneven numbers of bins and three decimals allow 0.002"});
  }
}

void addRecoveries(Checks& checks) {
  const Table study = referenceTable("llama_recovery_layers"), deciles = referenceTable("plasticity_deciles");
  for (std::size_t row = 0; row < study.rows(); ++row) {
    if (study.texts("kind")[row] != "model") continue;
    const std::string& model = study.texts("model")[row];
    const MidContextRecovery recovery = midContextRecovery(decilesOf(deciles, model));
    checks.push_back({"recovery", model, study.numbers("recovery")[row], recovery.recovery,
                      std::max(0.001, halfUnitOf("llama_recovery_layers", row, "recovery")) + 1e-9,
                      std::string("mean of deciles 7 and 8 less mean of 5 and 6; ") +
                          (recovery.recovers() ? "recovers" : "does not recover") + " (limit 0.005)"});
    if (std::isfinite(study.numbers("deciles_5_6")[row]))
      checks.push_back({"dip", model, study.numbers("deciles_5_6")[row], recovery.dip, 0.001 + 1e-9,
                        "mean of deciles 5 and 6"});
  }
}

void addDeclines(Checks& checks) {
  const Table models = referenceTable("plasticity_models"), deciles = referenceTable("plasticity_deciles");
  for (const std::string& model : models.texts("model")) {
    const auto parts = decilesOf(deciles, model);
    double rises = 0;
    for (std::size_t k = 1; k < parts.size(); ++k) rises += parts[k] > parts[k - 1] ? 1 : 0;
    checks.push_back({"rises from decile to decile", model, 0, rises, 0,
                      "\"all models decline monotonically\"; the deciles contradict this where it is not 0"});
  }
}

void addLengthBins(Checks& checks) {
  const Table scores = referenceTable("longbench_pro_lengths"),
              bins = referenceTable("plasticity_length_bins");
  for (std::size_t row = 0; row < scores.rows(); ++row) {
    const double printed = scores.numbers("plasticity_matching_bin")[row];
    if (!std::isfinite(printed)) continue;
    const std::string& model = scores.texts("model")[row];
    const std::string length = std::to_string(static_cast<std::int64_t>(scores.numbers("length")[row]));
    checks.push_back({"AP in the bin up to " + length, model, printed,
                      referenceValue(bins, "ap", {{"model", model}, {"position_to", length}}), kThirdDecimal,
                      "printed beside the scores by length, and in the table of length bins"});
  }
}

// ---- Rotation and components

void addWindowBias(Checks& checks) {
  const Table rotation = referenceTable("rotation_models");
  for (std::size_t row = 0; row < rotation.rows(); ++row) {
    const std::string& model = rotation.texts("model")[row];
    checks.push_back({"Bn", model, rotation.numbers("bn")[row],
                      rotation.numbers("bias_strength")[row] * rotation.numbers("window")[row], 0.05 + 1e-9,
                      "bias_strength * window"});
    if (std::isfinite(rotation.numbers("var_frac_a")[row]))
      checks.push_back({"plane_var_fraction", model, rotation.numbers("plane_var_fraction")[row],
                        rotation.numbers("var_frac_a")[row] + rotation.numbers("var_frac_b")[row],
                        0.001 + 1e-9, "var_frac_a + var_frac_b"});
  }
  const Table checkpoints = referenceTable("smollm3_checkpoints");
  for (std::size_t row = 0; row < checkpoints.rows(); ++row) {
    const std::string& name = checkpoints.texts("checkpoint")[row];
    const double window = checkpoints.numbers("window")[row];
    checks.push_back({"Bn", name, checkpoints.numbers("bn")[row],
                      checkpoints.numbers("bias_strength")[row] * window, 0.05 + 1e-9,
                      "bias_strength * window"});
    checks.push_back({"alpha_K * window", name, checkpoints.numbers("alpha_k_times_window")[row],
                      checkpoints.numbers("alpha_k")[row] * window, 0.05 + 1e-9, "alpha_k * window"});
  }
}

void addGrowth(Checks& checks) {
  const Table table = referenceTable("smollm3_checkpoints");
  const auto ratio = [&](const char* column) {  // last checkpoint / first checkpoint
    return referenceValue(table, column, {{"checkpoint", "lc2-20k"}}) /
           referenceValue(table, column, {{"checkpoint", "s3-4720k"}});
  };
  const double growth = 100 * (ratio("separation_strength") - 1);
  for (const double printed : {14.0, 10.0}) {
    checks.push_back({"growth of the separation, per cent", "smollm3-3b", printed, growth, 0.5,
                      "0.317 to 0.347; both 14 and 10 are printed, the data give 9.5"});
  }
  checks.push_back({"fall of bias_strength, fold", "smollm3-3b", 10, 1 / ratio("bias_strength"), 1,
                    "per token, of windows of 4,096 and 65,536 tokens: not comparable"});
  checks.push_back({"rise of Bn, fold", "smollm3-3b", 1.5, ratio("bn"), 0.05, "the same change per window"});
}

void addPlaneRange(Checks& checks) {
  const Table models = referenceTable("models"), rotation = referenceTable("rotation_models");
  double least = INFINITY, most = -INFINITY;
  for (std::size_t row = 0; row < models.rows(); ++row) {
    if (models.numbers("in_primary_set")[row] != 1) continue;
    const double share =
        referenceValue(rotation, "plane_var_fraction", {{"model", models.texts("model")[row]}});
    least = std::min(least, 100 * share);
    most = std::max(most, 100 * share);
  }
  const std::string note = "three ranges are printed; that of the figure is 29.5 to 45.6";
  for (const double printed : {29.5, 30.0, 29.0})
    checks.push_back({"least plane variance, per cent", "11 models", printed, least, 0.05 + 1e-9, note});
  for (const double printed : {45.6, 43.0, 46.0})
    checks.push_back({"most plane variance, per cent", "11 models", printed, most, 0.05 + 1e-9, note});
}

void addComponents(Checks& checks) {
  const Table table = referenceTable("pca_components");
  for (const double printed : {4.9, 5.0, 8.0})
    checks.push_back({"variance of PC1, per cent", "11 models", printed,
                      referenceValue(table, "ev_percent", {{"pc", "1"}}), 0.05 + 1e-9,
                      "three values are printed; that of the figure is 4.9"});
  for (const double printed : {0.34, 0.38})
    checks.push_back({"mean r_q on PC1", "11 models", printed,
                      referenceValue(table, "mean_r_q", {{"pc", "1"}}), 0.005 + 1e-9,
                      "two values are printed; that of the figure is 0.34"});
}

void addClasses(Checks& checks) {
  const Table table = referenceTable("taxonomy");
  double least = 0, most = 0;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (table.texts("scope")[row] != "all_11") continue;
    least += table.numbers("percent_min")[row];
    most += table.numbers("percent_max")[row];
  }
  checks.push_back({"sum of head classes, per cent", "11 models", 100, (least + most) / 2, 0.2 + 1e-9,
                    "five classes; the k_positional share is only known as 0 to 0.1"});
  const Table smollm = referenceTable("smollm3_pca");
  for (std::size_t row = 0; row < smollm.rows(); ++row) {
    double sum = 0;
    for (const char* column : {"frac_position_dominated", "frac_q_positional", "frac_k_positional",
                               "frac_content_focused", "frac_mixed"})
      sum += smollm.numbers(column)[row];
    checks.push_back({"sum of head classes", smollm.texts("checkpoint")[row], 1, sum, 0.01 + 1e-9,
                      "five classes, read off a figure"});
  }
}

void addHeads(Checks& checks) {
  const Table models = referenceTable("models");
  double heads = 0;
  for (std::size_t row = 0; row < models.rows(); ++row)
    heads += models.numbers("in_primary_set")[row] == 1 ? models.numbers("heads_captured")[row] : 0;
  checks.push_back({"captured heads", "11 models", 3239, heads, 0, "sum over the primary models"});
}

// ---- Correlations with benchmarks and between predictors

struct PrintedCorrelation {
  const char* predictor;
  double pearson, spearman, p, low, high;
};
// Recomputed once with other programs (method.md, Benchmark correlation values); the thesis prints r with two
// decimals.
constexpr PrintedCorrelation kCorrelations[] = {
    {"ap_drop", -0.673537, -0.6429, 0.06845, -0.947, 0.161},
    {"ap_overall", 0.704686, 0.3571, 0.09107, -0.103, 0.952},
    {"ap_first20", -0.455559, -0.5714, 0.32817, -0.900, 0.453},
    {"ap_last20", 0.715514, 0.4643, 0.06071, -0.081, 0.954},
    {"bias_strength", -0.166827, -0.2965, 0.79762, -0.817, 0.670},
    {"plane_var_fraction", -0.741535, -0.4286, 0.07361, -0.959, 0.026}};

void addCorrelations(Checks& checks) {
  const auto all = correlateBenchmark(referencePredictors(), loadBenchmark("longbench_pro"));
  for (const PrintedCorrelation& printed : kCorrelations) {
    for (const ScoreCorrelation& one : all) {
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
  std::vector<std::vector<double>> columns(predictors.columns.size());
  for (const PredictorRow& row : predictors.rows) {
    if (std::find(names.begin(), names.end(), row.model) == names.end()) continue;
    for (std::size_t c = 0; c < columns.size(); ++c) columns[c].push_back(row.values[c]);
  }
  const auto column = [&](const std::string& name) {
    return columns[static_cast<std::size_t>(
        std::find(predictors.columns.begin(), predictors.columns.end(), name) - predictors.columns.begin())];
  };
  const std::vector<double> drop = column("ap_drop");
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

}  // namespace

bool ReferenceCheck::agrees() const {
  return std::abs(recomputed - printed) <= tolerance;
}

std::vector<ReferenceCheck> referenceChecks() {
  Checks checks;
  // To add a group of checks: a function and its name here.
  for (const auto add : {addDrops, addQuintiles, addRecoveries, addDeclines, addLengthBins, addWindowBias,
                         addGrowth, addPlaneRange, addComponents, addClasses, addHeads, addCorrelations,
                         addCheckpointCorrelations, addLengthMean})
    add(checks);
  return checks;
}

Table referenceCheckTable(const std::vector<ReferenceCheck>& checks) {
  TableBuilder table("reference_check",
                     {texts("quantity"), texts("model"), numbers("printed"), numbers("recomputed"),
                      numbers("difference"), texts("agrees"), texts("note")});
  for (const ReferenceCheck& check : checks) {
    table.row({check.quantity, check.model, check.printed, check.recomputed, check.recomputed - check.printed,
               yesNo(check.agrees()), check.note});
  }
  return table.take();
}

// ---- Own analyses beside the published numbers of their model

namespace {

// Collects the numbers of one input and one published model.
class Collector {
 public:
  Collector(const ComparedModel& model, const ReferenceModel& reference)
      : m_model(model), m_reference(reference), m_deciles(headsByDecile(model)) {}
  std::vector<Deviation> take() { return std::move(m_all); }

  void addNumber(const Table& table, std::size_t row, const PublishedNumber& number) {
    const std::vector<double> own = m_model.column(number.metric);
    const std::string name = std::string(number.metric) + (number.median ? "_median" : "");
    add(name, number.median ? spreadOf(own).median : meanOfPresent(own), table.numbers(number.column)[row],
        number.tolerance, *number.source == '\0' ? table.texts("source")[row] : number.source);
  }

  void addPart(const Table& table, std::size_t row, const PublishedSeries& series) {
    const auto index = static_cast<std::int64_t>(table.numbers(series.index)[row]);
    const std::string number = std::to_string(index);
    std::string name = series.metric + number;
    std::vector<double> own;
    if (series.byDepth) {
      const std::vector<double> all = m_model.column(series.metric);
      for (const std::size_t head : m_deciles[index]) own.push_back(all[head]);
      name = std::string(series.metric) + " at depth decile " + number;
    } else {
      own = m_model.column(name);
    }
    add(name, meanOfPresent(own), table.numbers(series.column)[row], series.tolerance,
        table.texts("source")[row]);
  }

  void addRange(const Table& table, std::size_t row, const PositionProfile& profile) {
    const auto from = static_cast<std::int64_t>(table.numbers("position_from")[row]);
    const auto to = static_cast<std::int64_t>(table.numbers("position_to")[row]);
    if (profile.window() < to) return;
    add("ap from " + withCommas(from) + " to " + withCommas(to), profile.mean({"", from, to}).ap,
        table.numbers("ap")[row], kPlasticityTolerance, table.texts("source")[row]);
  }

 private:
  void add(const std::string& metric, double own, double published, const std::string& tolerance,
           const std::string& source) {
    if (!std::isfinite(own) || !std::isfinite(published)) return;
    m_all.push_back({m_model.name, m_reference.id, metric, own, published, tolerance + windowNote(), source,
                     accuracyOf(source)});
  }
  std::string windowNote() const {
    if (m_reference.window == 0 || m_model.facts.window == m_reference.window) return "";
    return "; the windows differ: " + withCommas(m_model.facts.window) + " and " +
           withCommas(m_reference.window) + " tokens";
  }

  const ComparedModel& m_model;
  const ReferenceModel& m_reference;
  std::map<std::int64_t, std::vector<std::size_t>> m_deciles;
  std::vector<Deviation> m_all;
};

}  // namespace

std::vector<Deviation> deviationsOf(const Comparison& comparison, std::size_t model,
                                    const ReferenceModel& reference) {
  const ComparedModel& own = comparison.models.at(model);
  const PositionProfile profile(*own.analysis);
  Collector collector(own, reference);
  for (const PublishedNumber& number : publishedNumbers()) {
    const Table table = referenceTable(number.table);
    for (const std::size_t row : rowsOfModel(table, reference.id)) collector.addNumber(table, row, number);
  }
  for (const PublishedSeries& series : publishedSeries()) {
    const Table table = referenceTable(series.table);
    for (const std::size_t row : rowsOfModel(table, reference.id)) collector.addPart(table, row, series);
  }
  for (const char* name : {"plasticity_length_bins", "smollm3_position"}) {
    const Table table = referenceTable(name);
    for (const std::size_t row : rowsOfModel(table, reference.id)) collector.addRange(table, row, profile);
  }
  return collector.take();
}

Table deviationTable(const std::vector<Deviation>& deviations) {
  TableBuilder table(
      "deviation", {texts("model"), texts("reference"), texts("metric"), numbers("own"), numbers("published"),
                    numbers("difference"), texts("tolerance"), texts("source"), texts("accuracy")});
  for (const Deviation& one : deviations) {
    table.row({one.model, one.reference, one.metric, one.own, one.published, one.difference(), one.tolerance,
               one.source, one.accuracy});
  }
  return table.take();
}

}  // namespace plastiscope
