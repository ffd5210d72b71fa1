#include <algorithm>
#include <array>
#include <cmath>

#include "core/analysis/ap_summary.h"
#include "core/compare/checks/checks.h"
#include "core/compare/csv_text.h"
#include "core/compare/reference_data.h"

namespace plastiscope {

namespace {

using Key = std::vector<std::pair<std::string, std::string>>;

// The difference of two numbers rounded to four decimals, beside one rounded to three.
constexpr double kDropRounding = 0.0006 + 1e-9;

struct OtherDrop {
  const char* model;
  double printed;
};
// The same drop with another third decimal elsewhere in the thesis.
constexpr OtherDrop kOtherDrops[] = {
    {"ministral3-8b", 0.083}, {"qwen3-0.6b", 0.169}, {"qwen3-4b", 0.187}, {"qwen3-8b", 0.177}};

std::vector<double> decilesOf(const Table& table, const std::string& model) {
  std::vector<double> deciles;
  for (int k = 1; k <= 10; ++k)
    deciles.push_back(referenceValue(table, "ap", {{"model", model}, {"decile", std::to_string(k)}}));
  return deciles;
}

// Half a unit of the last digit of a number as it stands in a shipped table.
double halfUnitOf(const std::string& table, std::size_t row, const std::string& column) {
  const CsvText csv = parseCsv(requiredReference(table).csv, table);
  const auto found = std::find(csv.header.begin(), csv.header.end(), column);
  const std::string& text = csv.rows.at(row).at(static_cast<std::size_t>(found - csv.header.begin()));
  const std::size_t point = text.find('.');
  const std::size_t decimals = point == std::string::npos ? 0 : text.size() - point - 1;
  return 0.5 * std::pow(10, -static_cast<double>(decimals));
}

}  // namespace

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
  for (const OtherDrop& other : kOtherDrops) {
    const Key key = {{"model", other.model}};
    checks.push_back({"AP_drop, as printed elsewhere", other.model, other.printed,
                      referenceValue(models, "ap_first20", key) - referenceValue(models, "ap_last20", key),
                      kThirdDecimal, "two third decimals are in print; AP_first20 - AP_last20 decides"});
  }
  const Table checkpoints = referenceTable("smollm3_checkpoints");
  const Key key = {{"checkpoint", "lc1-20k"}};
  checks.push_back(
      {"AP_last20", "lc1-20k", referenceValue(checkpoints, "ap_last20", key),
       referenceValue(checkpoints, "ap_first20", key) - referenceValue(checkpoints, "ap_drop", key),
       kDropRounding, "AP_first20 - AP_drop; 0.4356 is taken"});
}

void addQuintiles(Checks& checks) {
  const Table quintiles = referenceTable("plasticity_quintiles"),
              deciles = referenceTable("plasticity_deciles");
  for (std::size_t row = 0; row < quintiles.rows(); ++row) {
    const std::string& model = quintiles.texts("model")[row];
    const auto k = static_cast<std::size_t>(quintiles.numbers("quintile")[row]);
    const std::vector<double> parts = decilesOf(deciles, model);
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
    const std::vector<double> parts = decilesOf(deciles, model);
    std::array<double, 10> decile{};
    std::copy(parts.begin(), parts.end(), decile.begin());
    const MidContextRecovery recovery = midContextRecovery(decile);
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
    const std::vector<double> parts = decilesOf(deciles, model);
    double rises = 0;
    for (std::size_t k = 1; k < parts.size(); ++k) rises += parts[k] > parts[k - 1] ? 1 : 0;
    checks.push_back({"rises from decile to decile", model, 0, rises, 0,
                      "\"all models decline monotonically\"; the deciles say otherwise where this is not 0"});
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

}  // namespace plastiscope
