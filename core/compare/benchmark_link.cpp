#include "core/compare/benchmark_link.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <functional>
#include <map>
#include <span>
#include <string_view>
#include <tuple>

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/path_text.h"
#include "core/compare/csv_text.h"
#include "core/compare/reference_data.h"

namespace plastiscope {

namespace {

// Normalised name: "Qwen3-4B", "qwen3 4b" and "qwen3_4b" are the same model.
std::string plainName(const std::string& name) {
  std::string plain;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::string_view("-_ ").find(c) == std::string_view::npos)
      plain += static_cast<char>(std::tolower(byte));
  }
  return plain;
}

// Whether a score is of the row's model. Shipped scores state the exact model or none; a user's are matched
// by name.
bool means(const PredictorRow& row, const BenchmarkScore& score) {
  std::vector<std::string> names = row.aliases;
  names.push_back(row.model);
  if (score.match.empty()) return std::find(names.begin(), names.end(), score.model) != names.end();
  const std::string wanted = plainName(score.match);
  return std::any_of(names.begin(), names.end(),
                     [&wanted](const std::string& name) { return plainName(name) == wanted; });
}

// A score and its rows: several captures may be of one model.
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

void addPoint(ScoreCorrelation& correlation, const Joined& pair, double value) {
  correlation.models.push_back(pair.row->model);
  correlation.families.push_back(pair.row->family);
  correlation.x.push_back(value);
  correlation.y.push_back(pair.score->score);
}

// AP in the bin that ends at `length`, or missing.
double apAt(const PredictorRow& row, const std::string& ranges, std::int64_t length) {
  for (const PredictorRow::LengthAp& bin : row.lengths) {
    if (bin.to == length && (ranges.empty() || bin.ranges == ranges)) return bin.ap;
  }
  return kMissing;
}

constexpr std::size_t kMaxPredictorBytes = std::size_t{1} << 24;

// The first six are those of method.md, Benchmark correlation values.
constexpr const char* kColumns[] = {"ap_drop",
                                    "ap_overall",
                                    "ap_first20",
                                    "ap_last20",
                                    "bias_strength",
                                    "plane_var_fraction",
                                    "bias_window",
                                    "abs_r_q_a",
                                    "abs_r_k_a",
                                    "var_frac_a",
                                    "var_frac_b",
                                    "slope_ratio_median",
                                    "separation_strength",
                                    "alpha_k"};

// The predictors of a model, each from the first table that has it.
std::vector<double> referenceValues(const std::vector<const Table*>& tables, const std::string& id,
                                    double window) {
  const auto numberOf = [&](std::string_view column) {
    double value = kMissing;
    for (const Table* table : tables) {
      if (!std::isfinite(value)) value = referenceValue(*table, column, {{modelColumn(*table), id}});
    }
    return value;
  };
  std::vector<double> values;
  for (const std::string_view name : kColumns) {
    // Recomputed, because the third decimal of the printed drop differs between sources.
    values.push_back(name == "ap_drop"              ? numberOf("ap_first20") - numberOf("ap_last20")
                     : name == "bias_window"        ? numberOf("bias_strength") * window
                     : name == "slope_ratio_median" ? numberOf("median_slope_ratio")
                                                    : numberOf(name));
  }
  return values;
}

void addLengths(PredictorRow& predictor, const Table& bins, const Table& ruler) {
  for (const std::size_t row : rowsOfModel(bins, predictor.model)) {
    predictor.lengths.push_back(
        {"longbench_pro", static_cast<std::int64_t>(bins.numbers("position_from")[row]),
         static_cast<std::int64_t>(bins.numbers("position_to")[row]), bins.numbers("ap")[row]});
  }
  for (const std::size_t row : rowsOfModel(ruler, predictor.model)) {
    const double ap = ruler.numbers("plasticity")[row];
    if (std::isnan(ap)) continue;
    const auto to = static_cast<std::int64_t>(ruler.numbers("length")[row]);
    predictor.lengths.push_back({"ruler", to <= 4096 ? 0 : to / 2, to, ap});
  }
}

std::string familyOf(const std::string& model) {
  const auto reference = recogniseReferenceModel(model);
  return reference ? reference->family : std::string();
}

// ---- Tables

// A column of tables of correlations, with its cell.
struct Field {
  Column column;
  std::function<Cell(const ScoreCorrelation&)> cell;
};
using Fields = std::vector<Field>;
using One = const ScoreCorrelation&;

double orMissing(const std::optional<std::int64_t>& length) {
  return length ? static_cast<double>(*length) : kMissing;
}

Fields groupFields() {
  return {{texts("suite"), [](One one) { return one.suite; }},
          {texts("mode"), [](One one) { return one.mode; }},
          {numbers("length"), [](One one) { return orMissing(one.length); }},
          {texts("predictor"), [](One one) { return one.predictor; }}};
}

Fields scopeFields() {
  return {{texts("suite"), [](One one) { return one.suite; }},
          {texts("mode"), [](One one) { return one.mode; }},
          {texts("scope"), [](One one) { return one.scope; }},
          {texts("model"), [](One one) { return one.model; }},
          {numbers("length"), [](One one) { return orMissing(one.length); }}};
}

Fields resultFields() {
  return {{integers("n"), [](One one) { return one.result.n; }},
          {numbers("pearson"), [](One one) { return one.result.pearson; }},
          {numbers("low"), [](One one) { return one.result.pearsonInterval.low; }},
          {numbers("high"), [](One one) { return one.result.pearsonInterval.high; }},
          {numbers("spearman"), [](One one) { return one.result.spearman; }},
          {numbers("p"), [](One one) { return one.result.permutationP; }},
          {numbers("slope"), [](One one) { return one.result.slope; }},
          {numbers("slope_low"), [](One one) { return one.result.slopeInterval.low; }},
          {numbers("slope_high"), [](One one) { return one.result.slopeInterval.high; }},
          {numbers("intercept"), [](One one) { return one.result.intercept; }},
          {numbers("families"),
           [](One one) { return one.byFamily.names.empty() ? kMissing : double(one.byFamily.names.size()); }},
          {numbers("p_families"), [](One one) { return one.byFamily.p; }},
          {numbers("family_low"), [](One one) { return one.byFamily.interval.low; }},
          {numbers("family_high"), [](One one) { return one.byFamily.interval.high; }},
          {texts("families_missing"), [](One one) { return one.byFamily.missing; }}};
}

// A table with these columns first. `rowsOf`: the further cells of each row of a correlation.
template <typename RowsOf>
Table fieldTable(const std::string& name, const std::vector<Fields>& fields, std::vector<Column> further,
                 const std::vector<ScoreCorrelation>& all, const RowsOf& rowsOf) {
  std::vector<Column> columns;
  for (const Fields& some : fields)
    for (const Field& field : some) columns.push_back(field.column);
  columns.insert(columns.end(), further.begin(), further.end());
  TableBuilder table(name, columns);
  for (const ScoreCorrelation& one : all) {
    for (const std::vector<Cell>& rest : rowsOf(one)) {
      std::vector<Cell> cells;
      for (const Fields& some : fields)
        for (const Field& field : some) cells.push_back(field.cell(one));
      cells.insert(cells.end(), rest.begin(), rest.end());
      table.row(cells);
    }
  }
  return table.take();
}

using Rows = std::vector<std::vector<Cell>>;

// A row for each point.
template <typename RowOf>
Rows pointRows(const ScoreCorrelation& one, const RowOf& rowOf) {
  Rows rows;
  for (std::size_t i = 0; i < one.models.size(); ++i) rows.push_back(rowOf(i));
  return rows;
}

Table leaveOneOutTable(const std::vector<ScoreCorrelation>& all) {
  return fieldTable(
      "leave_one_out", {groupFields()}, {texts("without"), numbers("pearson")}, all, [](One one) {
        return pointRows(
            one, [&](auto i) { return std::vector<Cell>{one.models[i], one.result.leaveOneOut.at(i)}; });
      });
}

Table benchmarkPointsTable(const std::vector<ScoreCorrelation>& all) {
  return fieldTable("benchmark_points", {groupFields()}, {texts("model"), numbers("value"), numbers("score")},
                    all, [](One one) {
                      return pointRows(
                          one, [&](auto i) { return std::vector<Cell>{one.models[i], one.x[i], one.y[i]}; });
                    });
}

Table lengthPointsTable(const std::vector<ScoreCorrelation>& all) {
  TableBuilder table("length_points", {texts("suite"), texts("mode"), texts("model"), integers("length"),
                                       numbers("ap"), numbers("score")});
  for (const ScoreCorrelation& one : all) {
    if (one.scope != "all") continue;
    for (std::size_t i = 0; i < one.models.size(); ++i)
      table.row({one.suite, one.mode, one.models[i], one.lengths[i], one.x[i], one.y[i]});
  }
  return table.take();
}

// Sets the p of every predictor, adjusted for all predictors of the same scores.
void adjust(std::span<ScoreCorrelation> predictors, const std::vector<std::vector<double>>& values,
            const std::vector<Joined>& pairs, const CorrelationOptions& options) {
  std::vector<double> scores;
  for (const Joined& pair : pairs) scores.push_back(pair.score->score);
  const std::vector<double> p = adjustedP(values, scores, options);
  for (std::size_t i = 0; i < p.size(); ++i) predictors[i].adjustedP = p[i];
}

}  // namespace

void ScoreCorrelation::correlatePoints(const CorrelationOptions& options) {
  const bool oneModel = !lengths.empty() && std::ranges::count(models, models.front()) == std::ssize(models);
  result = correlate(x, y, options);
  if (oneModel)
    result.permutationP = kMissing;
  else if (options.permutations > 0)
    byFamily = correlateFamilies(x, y, families, lengths, options);
}

std::vector<ScoreCorrelation> correlateBenchmark(const PredictorTable& predictors, const Benchmark& benchmark,
                                                 const CorrelationOptions& options) {
  using Group = std::tuple<std::string, std::string, std::optional<std::int64_t>>;  // suite, mode, length
  std::map<Group, std::vector<Joined>> groups;
  for (const Joined& pair : joinedModels(predictors, benchmark))
    groups[{pair.score->suite, pair.score->mode, pair.score->length}].push_back(pair);
  std::vector<ScoreCorrelation> all;
  for (const auto& [group, pairs] : groups) {
    std::vector<std::vector<double>> values(predictors.columns.size());
    for (std::size_t column = 0; column < predictors.columns.size(); ++column) {
      ScoreCorrelation& one = all.emplace_back();
      std::tie(one.suite, one.mode, one.length) = group;
      one.predictor = predictors.columns[column];
      for (const Joined& pair : pairs) {
        const double value = pair.row->values.at(column);
        values[column].push_back(value);
        if (std::isfinite(value)) addPoint(one, pair, value);
      }
      one.correlatePoints(options);
    }
    if (options.permutations > 0) adjust(std::span(all).last(values.size()), values, pairs, options);
  }
  return all;
}

std::vector<ScoreCorrelation> correlateLengths(const PredictorTable& predictors, const Benchmark& benchmark,
                                               const CorrelationOptions& options) {
  // Suite, mode, scope, model, length.
  using Scope = std::tuple<std::string, std::string, std::string, std::string, std::optional<std::int64_t>>;
  std::map<Scope, ScoreCorrelation> scopes;
  for (const Joined& pair : joinedModels(predictors, benchmark)) {
    if (!pair.score->length) continue;
    const double ap = apAt(*pair.row, benchmark.ranges, *pair.score->length);
    if (!std::isfinite(ap)) continue;
    const std::string &suite = pair.score->suite, &mode = pair.score->mode;
    for (const Scope& scope :
         {Scope{suite, mode, "all", "", std::nullopt}, Scope{suite, mode, "length", "", pair.score->length},
          Scope{suite, mode, "model", pair.row->model, std::nullopt}}) {
      addPoint(scopes[scope], pair, ap);
      scopes[scope].lengths.push_back(*pair.score->length);
    }
  }
  std::vector<ScoreCorrelation> all;
  for (auto& [scope, one] : scopes) {
    std::tie(one.suite, one.mode, one.scope, one.model, one.length) = scope;
    one.correlatePoints(options);
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
  table.columns.assign(std::begin(kColumns), std::end(kColumns));
  for (std::size_t row = 0; row < plasticity.rows(); ++row) {
    const std::string& id = plasticity.texts("model")[row];
    const double window = plasticity.numbers("window")[row];
    PredictorRow predictor{id, {}, referenceValues({&plasticity, &rotation}, id, window), {}, familyOf(id)};
    addLengths(predictor, bins, ruler);
    table.rows.push_back(std::move(predictor));
  }
  for (std::size_t row = 0; row < checkpoints.rows(); ++row) {
    const std::string& id = checkpoints.texts("checkpoint")[row];
    const double window = checkpoints.numbers("window")[row];
    table.rows.push_back({id, {}, referenceValues({&checkpoints}, id, window), {}, familyOf(id)});
  }
  return table;
}

PredictorTable readPredictors(const std::string& file) {
  const CsvText csv = parseCsv(readFile(file, kMaxPredictorBytes), file);
  const auto modelColumn = csv.column("model"), familyColumn = csv.column("family");
  if (!modelColumn || csv.header.size() < 2) {
    throw InputError({file, "line 1", "the column model and at least one predictor",
                      std::to_string(csv.header.size()) + " columns, the first " + csv.header.front()});
  }
  PredictorTable table;
  table.source = pathText(std::filesystem::path(file).filename());
  for (std::size_t c = 0; c < csv.header.size(); ++c) {
    if (c != *modelColumn && c != familyColumn) table.columns.push_back(csv.header[c]);
  }
  for (std::size_t row = 0; row < csv.rows.size(); ++row) {
    PredictorRow predictor{csv.rows[row][*modelColumn], {}, {}, {}};
    const bool again = std::any_of(table.rows.begin(), table.rows.end(),
                                   [&](const PredictorRow& other) { return other.model == predictor.model; });
    if (again || predictor.model.empty()) {
      throw InputError({file, "line " + std::to_string(csv.lines[row]) + ", column model",
                        "the name of a model, each once",
                        predictor.model.empty() ? "nothing" : "\"" + predictor.model + "\" again"});
    }
    for (std::size_t c = 0; c < csv.header.size(); ++c) {
      if (c != *modelColumn && c != familyColumn) predictor.values.push_back(numberCell(csv, row, c));
    }
    predictor.family = familyColumn ? csv.rows[row][*familyColumn] : familyOf(predictor.model);
    table.rows.push_back(std::move(predictor));
  }
  if (table.rows.empty()) throw InputError({file, "line 2", "at least one model", "none"});
  return table;
}

Table correlationsTable(const std::string& benchmark, const std::vector<ScoreCorrelation>& all) {
  const Fields name = {{texts("benchmark"), [&](One) { return benchmark; }}};
  return fieldTable("correlations", {name, groupFields(), resultFields()}, {numbers("p_adjusted")}, all,
                    [](One one) { return Rows{{one.adjustedP}}; });
}

Table leaveFamilyOutTable(const std::vector<ScoreCorrelation>& all) {
  return fieldTable("leave_family_out", {groupFields()},
                    {texts("without"), integers("models"), numbers("pearson")}, all, [](One one) {
                      Rows rows;
                      const FamilyCorrelation& found = one.byFamily;
                      for (std::size_t i = 0; i < found.names.size(); ++i) {
                        const auto left = std::ranges::count(one.families, found.names[i]);
                        rows.push_back({found.names[i], one.result.n - left, found.without[i]});
                      }
                      return rows;
                    });
}

std::vector<Table> linkTables(const PredictorTable& predictors, const Benchmark& benchmark,
                              const CorrelationOptions& options) {
  const auto all = correlateBenchmark(predictors, benchmark, options);
  const auto lengths = correlateLengths(predictors, benchmark, options);
  return {correlationsTable(benchmark.name, all),
          leaveOneOutTable(all),
          benchmarkPointsTable(all),
          fieldTable("length_correlations", {scopeFields(), resultFields()}, {}, lengths,
                     [](One) { return Rows(1); }),
          lengthPointsTable(lengths),
          leaveFamilyOutTable(all)};
}

}  // namespace plastiscope
