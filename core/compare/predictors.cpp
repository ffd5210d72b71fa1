// What predicts a benchmark: the thesis' numbers, or a person's own table.
#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/path_text.h"
#include "core/compare/benchmark_link.h"
#include "core/compare/csv_text.h"
#include "core/compare/reference_data.h"

namespace plastiscope {

namespace {

constexpr std::size_t kMaxPredictorBytes = std::size_t{1} << 24;

// A predictor and the reference column it is read from.
struct ReferencePredictor {
  const char* name;
  const char* column;
};
// ap_drop and bias_window are computed, see below; the first six are those of method.md 10.6.
constexpr ReferencePredictor kColumns[] = {
    {"ap_drop", ""},
    {"ap_overall", "ap_overall"},
    {"ap_first20", "ap_first20"},
    {"ap_last20", "ap_last20"},
    {"bias_strength", "bias_strength"},
    {"plane_var_fraction", "plane_var_fraction"},
    {"bias_window", ""},
    {"abs_r_q_a", "abs_r_q_a"},
    {"abs_r_k_a", "abs_r_k_a"},
    {"var_frac_a", "var_frac_a"},
    {"var_frac_b", "var_frac_b"},
    {"slope_ratio_median", "median_slope_ratio"},
    {"separation_strength", "separation_strength"},
    {"alpha_k", "alpha_k"},
};

// A column of either table, by `key` = `id`.
class ReferenceRow {
 public:
  ReferenceRow(std::vector<const Table*> tables, std::string key, std::string id)
      : m_tables(std::move(tables)), m_key(std::move(key)), m_id(std::move(id)) {}
  double operator[](const std::string& column) const {
    double value = std::nan("");
    for (const Table* table : m_tables) {
      if (!std::isfinite(value)) value = referenceValue(*table, column, {{m_key, m_id}});
    }
    return value;
  }

 private:
  std::vector<const Table*> m_tables;
  std::string m_key, m_id;
};

std::vector<double> referenceValues(const ReferenceRow& row, double window) {
  std::vector<double> values;
  for (const ReferencePredictor& predictor : kColumns) {
    const std::string name = predictor.name;
    // The third decimal of the printed drop differs between sources; the window's share of the bias is exact.
    values.push_back(name == "ap_drop"       ? row["ap_first20"] - row["ap_last20"]
                     : name == "bias_window" ? row["bias_strength"] * window
                                             : row[predictor.column]);
  }
  return values;
}

void addLengths(PredictorRow& predictor, const Table& bins, const Table& ruler) {
  for (std::size_t row = 0; row < bins.rows(); ++row) {
    if (bins.texts("model")[row] != predictor.model) continue;
    predictor.lengths.push_back(
        {"longbench_pro", static_cast<std::int64_t>(bins.numbers("position_from")[row]),
         static_cast<std::int64_t>(bins.numbers("position_to")[row]), bins.numbers("ap")[row]});
  }
  for (std::size_t row = 0; row < ruler.rows(); ++row) {
    const double ap = ruler.numbers("plasticity")[row];
    if (ruler.texts("model")[row] != predictor.model || std::isnan(ap)) continue;
    const auto to = static_cast<std::int64_t>(ruler.numbers("length")[row]);
    predictor.lengths.push_back({"ruler", to <= 4096 ? 0 : to / 2, to, ap});
  }
}

}  // namespace

PredictorTable referencePredictors() {
  const Table plasticity = referenceTable("plasticity_models"), rotation = referenceTable("rotation_models"),
              checkpoints = referenceTable("smollm3_checkpoints"),
              bins = referenceTable("plasticity_length_bins"), ruler = referenceTable("ruler");
  PredictorTable table;
  table.source = "the thesis";
  for (const ReferencePredictor& predictor : kColumns) table.columns.emplace_back(predictor.name);
  for (std::size_t row = 0; row < plasticity.rows(); ++row) {
    const std::string& id = plasticity.texts("model")[row];
    PredictorRow predictor{id, {}, {}, {}};
    predictor.values =
        referenceValues({{&plasticity, &rotation}, "model", id}, plasticity.numbers("window")[row]);
    addLengths(predictor, bins, ruler);
    table.rows.push_back(std::move(predictor));
  }
  for (std::size_t row = 0; row < checkpoints.rows(); ++row) {
    const std::string& id = checkpoints.texts("checkpoint")[row];
    table.rows.push_back(
        {id,
         {},
         referenceValues({{&checkpoints}, "checkpoint", id}, checkpoints.numbers("window")[row]),
         {}});
  }
  return table;
}

PredictorTable readPredictors(const std::string& file) {
  const CsvText csv = parseCsv(readFile(file, kMaxPredictorBytes), file);
  const auto found = std::find(csv.header.begin(), csv.header.end(), "model");
  if (found == csv.header.end() || csv.header.size() < 2) {
    throw InputError({file, "line 1", "the column model and at least one predictor",
                      std::to_string(csv.header.size()) + " columns, the first " + csv.header.front()});
  }
  const auto modelColumn = static_cast<std::size_t>(found - csv.header.begin());
  PredictorTable table;
  table.source = pathText(std::filesystem::path(file).filename());
  for (std::size_t c = 0; c < csv.header.size(); ++c) {
    if (c != modelColumn) table.columns.push_back(csv.header[c]);
  }
  for (std::size_t row = 0; row < csv.rows.size(); ++row) {
    PredictorRow predictor{csv.rows[row][modelColumn], {}, {}, {}};
    const bool again = std::any_of(table.rows.begin(), table.rows.end(),
                                   [&](const PredictorRow& other) { return other.model == predictor.model; });
    if (again || predictor.model.empty()) {
      throw InputError({file, "line " + std::to_string(csv.lines[row]) + ", column model",
                        "the name of a model, each once",
                        predictor.model.empty() ? "nothing" : "\"" + predictor.model + "\" again"});
    }
    for (std::size_t c = 0; c < csv.header.size(); ++c) {
      if (c != modelColumn) predictor.values.push_back(numberCell(csv, row, c));
    }
    table.rows.push_back(std::move(predictor));
  }
  if (table.rows.empty()) throw InputError({file, "line 2", "at least one model", "none"});
  return table;
}

}  // namespace plastiscope
