#include "core/compare/benchmark_link.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <string_view>
#include <tuple>

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/path_text.h"
#include "core/compare/csv_text.h"
#include "core/compare/reference_data.h"

namespace plastiscope {

namespace {

// Scores that may be compared with each other.
struct Group {
  std::string suite, mode;
  std::optional<std::int64_t> length;
  auto operator<=>(const Group&) const = default;
};

// People write "Qwen3-4B", "qwen3 4b" and "qwen3_4b" for one model.
std::string plainName(const std::string& name) {
  std::string plain;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::string_view("-_ ").find(c) == std::string_view::npos)
      plain += static_cast<char>(std::tolower(byte));
  }
  return plain;
}

// A shipped score says which model it is of, or that of none; a person's own is matched as it is written.
bool means(const PredictorRow& row, const BenchmarkScore& score) {
  std::vector<std::string> names = row.aliases;
  names.push_back(row.model);
  if (score.match.empty()) return std::find(names.begin(), names.end(), score.model) != names.end();
  const std::string wanted = plainName(score.match);
  return std::any_of(names.begin(), names.end(),
                     [&wanted](const std::string& name) { return plainName(name) == wanted; });
}

// A score and the models it belongs to: several captures may be of one model.
struct Joined {
  const BenchmarkScore* score;
  const PredictorRow* row;
};

std::vector<Joined> joinedModels(const PredictorTable& predictors, const Benchmark& benchmark) {
  std::vector<Joined> pairs;
  for (const BenchmarkScore& score : benchmark.scores) {
    for (const PredictorRow& row : predictors.rows) {
      if (means(row, score)) pairs.push_back({&score, &row});
    }
  }
  return pairs;
}

// AP in the bin that ends at `length`, or missing.
double apAt(const PredictorRow& row, const std::string& ranges, std::int64_t length) {
  for (const PredictorRow::LengthAp& bin : row.lengths) {
    if (bin.to == length && (ranges.empty() || bin.ranges == ranges)) return bin.ap;
  }
  return std::nan("");
}

struct LengthScope {
  std::string suite, mode, scope, model;
  std::optional<std::int64_t> length;
  auto operator<=>(const LengthScope&) const = default;
};

void addPoint(LengthCorrelation& all, const Joined& pair, double ap) {
  all.models.push_back(pair.row->model);
  all.lengths.push_back(*pair.score->length);
  all.ap.push_back(ap);
  all.score.push_back(pair.score->score);
}

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

std::vector<BenchmarkCorrelation> correlateBenchmark(const PredictorTable& predictors,
                                                     const Benchmark& benchmark,
                                                     const CorrelationOptions& options) {
  std::map<Group, std::vector<Joined>> groups;
  for (const Joined& pair : joinedModels(predictors, benchmark))
    groups[{pair.score->suite, pair.score->mode, pair.score->length}].push_back(pair);
  std::vector<BenchmarkCorrelation> all;
  for (const auto& [group, pairs] : groups) {
    for (std::size_t column = 0; column < predictors.columns.size(); ++column) {
      BenchmarkCorrelation one{group.suite, group.mode, group.length, predictors.columns[column],
                               {},          {},         {},           {}};
      for (const Joined& pair : pairs) {
        const double value = pair.row->values.at(column);
        if (!std::isfinite(value)) continue;
        one.models.push_back(pair.row->model);
        one.x.push_back(value);
        one.y.push_back(pair.score->score);
      }
      one.result = correlate(one.x, one.y, options);
      all.push_back(std::move(one));
    }
  }
  return all;
}

std::vector<LengthCorrelation> correlateLengths(const PredictorTable& predictors, const Benchmark& benchmark,
                                                const CorrelationOptions& options) {
  std::map<LengthScope, LengthCorrelation> scopes;
  for (const Joined& pair : joinedModels(predictors, benchmark)) {
    if (!pair.score->length) continue;
    const double ap = apAt(*pair.row, benchmark.ranges, *pair.score->length);
    if (!std::isfinite(ap)) continue;
    const std::string &suite = pair.score->suite, &mode = pair.score->mode;
    for (const LengthScope& scope : {LengthScope{suite, mode, "all", "", std::nullopt},
                                     LengthScope{suite, mode, "length", "", pair.score->length},
                                     LengthScope{suite, mode, "model", pair.row->model, std::nullopt}}) {
      addPoint(scopes[scope], pair, ap);
    }
  }
  std::vector<LengthCorrelation> all;
  for (auto& [scope, one] : scopes) {
    std::tie(one.suite, one.mode, one.scope, one.model, one.length) =
        std::tie(scope.suite, scope.mode, scope.scope, scope.model, scope.length);
    one.result = correlate(one.ap, one.score, options);
    all.push_back(std::move(one));
  }
  return all;
}

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
