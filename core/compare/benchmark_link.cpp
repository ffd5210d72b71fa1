#include "core/compare/benchmark_link.h"

#include <algorithm>
#include <cctype>
#include <cmath>
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

// Comparable scores.
struct Group {
  std::string suite, mode;
  std::optional<std::int64_t> length;
  auto operator<=>(const Group&) const = default;
};

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

// AP in the bin that ends at `length`, or missing.
double apAt(const PredictorRow& row, const std::string& ranges, std::int64_t length) {
  for (const PredictorRow::LengthAp& bin : row.lengths) {
    if (bin.to == length && (ranges.empty() || bin.ranges == ranges)) return bin.ap;
  }
  return kMissing;
}

struct LengthScope {
  std::string suite, mode, scope, model;
  std::optional<std::int64_t> length;
  auto operator<=>(const LengthScope&) const = default;
};

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

using Columns = std::vector<Column>;
using Cells = std::vector<Cell>;

double orMissing(const std::optional<std::int64_t>& length) {
  return length ? static_cast<double>(*length) : kMissing;
}

template <typename List>
List joinedLists(List first, const List& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

Columns resultColumns() {
  return {integers("n"),         numbers("pearson"),  numbers("low"),   numbers("high"),
          numbers("spearman"),   numbers("p"),        numbers("slope"), numbers("slope_low"),
          numbers("slope_high"), numbers("intercept")};
}

Cells resultCells(const Correlation& result) {
  return {result.n,
          result.pearson,
          result.pearsonInterval.low,
          result.pearsonInterval.high,
          result.spearman,
          result.permutationP,
          result.slope,
          result.slopeInterval.low,
          result.slopeInterval.high,
          result.intercept};
}

Columns familyColumns() {
  return {numbers("families"), numbers("p_families"), numbers("family_low"), numbers("family_high"),
          texts("families_missing")};
}

Cells familyCells(const FamilyCorrelation& found) {
  const std::size_t count = found.names.size();
  return {count == 0 ? kMissing : static_cast<double>(count), found.p, found.interval.low,
          found.interval.high, found.missing};
}

// Sets the p of every predictor, adjusted for all predictors of the same scores.
void adjust(std::span<BenchmarkCorrelation> predictors, const std::vector<std::vector<double>>& values,
            const std::vector<Joined>& pairs, const CorrelationOptions& options) {
  std::vector<double> scores;
  for (const Joined& pair : pairs) scores.push_back(pair.score->score);
  const std::vector<double> p = adjustedP(values, scores, options);
  for (std::size_t i = 0; i < p.size(); ++i) predictors[i].adjustedP = p[i];
}

Columns groupColumns() {
  return {texts("suite"), texts("mode"), numbers("length"), texts("predictor")};
}

Cells groupCells(const BenchmarkCorrelation& one) {
  return {one.suite, one.mode, orMissing(one.length), one.predictor};
}

Columns scopeColumns() {
  return {texts("suite"), texts("mode"), texts("scope"), texts("model"), numbers("length")};
}

Cells scopeCells(const LengthCorrelation& one) {
  return {one.suite, one.mode, one.scope, one.model, orMissing(one.length)};
}

}  // namespace

bool isOneModel(const std::vector<std::string>& models) {
  return std::ranges::all_of(models, [&](const std::string& model) { return model == models.front(); });
}

std::vector<BenchmarkCorrelation> correlateBenchmark(const PredictorTable& predictors,
                                                     const Benchmark& benchmark,
                                                     const CorrelationOptions& options) {
  std::map<Group, std::vector<Joined>> groups;
  for (const Joined& pair : joinedModels(predictors, benchmark))
    groups[{pair.score->suite, pair.score->mode, pair.score->length}].push_back(pair);
  std::vector<BenchmarkCorrelation> all;
  for (const auto& [group, pairs] : groups) {
    std::vector<std::vector<double>> values(predictors.columns.size());
    for (std::size_t column = 0; column < predictors.columns.size(); ++column) {
      BenchmarkCorrelation one{group.suite, group.mode, group.length, predictors.columns[column],
                               {},          {},         {},           {}};
      for (const Joined& pair : pairs) {
        const double value = pair.row->values.at(column);
        values[column].push_back(value);
        if (!std::isfinite(value)) continue;
        one.models.push_back(pair.row->model);
        one.families.push_back(pair.row->family);
        one.x.push_back(value);
        one.y.push_back(pair.score->score);
      }
      one.result = correlate(one.x, one.y, options);
      if (options.permutations > 0) one.byFamily = correlateFamilies(one.x, one.y, one.families, {}, options);
      all.push_back(std::move(one));
    }
    if (options.permutations > 0) adjust(std::span(all).last(values.size()), values, pairs, options);
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
      LengthCorrelation& all = scopes[scope];
      all.models.push_back(pair.row->model);
      all.families.push_back(pair.row->family);
      all.lengths.push_back(*pair.score->length);
      all.ap.push_back(ap);
      all.score.push_back(pair.score->score);
    }
  }
  std::vector<LengthCorrelation> all;
  for (auto& [scope, one] : scopes) {
    std::tie(one.suite, one.mode, one.scope, one.model, one.length) =
        std::tie(scope.suite, scope.mode, scope.scope, scope.model, scope.length);
    one.result = correlate(one.ap, one.score, options);
    if (isOneModel(one.models))
      one.result.permutationP = kMissing;
    else if (options.permutations > 0)
      one.byFamily = correlateFamilies(one.ap, one.score, one.families, one.lengths, options);
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

Table correlationsTable(const std::string& benchmark, const std::vector<BenchmarkCorrelation>& all) {
  TableBuilder table(
      "correlations",
      joinedLists(joinedLists(Columns{texts("benchmark")}, joinedLists(groupColumns(), resultColumns())),
                  joinedLists(familyColumns(), Columns{numbers("p_adjusted")})));
  for (const BenchmarkCorrelation& one : all)
    table.row(
        joinedLists(joinedLists(Cells{benchmark}, joinedLists(groupCells(one), resultCells(one.result))),
                    joinedLists(familyCells(one.byFamily), Cells{one.adjustedP})));
  return table.take();
}

Table leaveFamilyOutTable(const std::vector<BenchmarkCorrelation>& all) {
  TableBuilder table(
      "leave_family_out",
      joinedLists(groupColumns(), Columns{texts("without"), integers("models"), numbers("pearson")}));
  for (const BenchmarkCorrelation& one : all) {
    const FamilyCorrelation& found = one.byFamily;
    for (std::size_t i = 0; i < found.names.size(); ++i) {
      const auto left = std::ranges::count(one.families, found.names[i]);
      table.row(joinedLists(groupCells(one), Cells{found.names[i], one.result.n - left, found.without[i]}));
    }
  }
  return table.take();
}

Table leaveOneOutTable(const std::vector<BenchmarkCorrelation>& all) {
  TableBuilder table("leave_one_out",
                     joinedLists(groupColumns(), Columns{texts("without"), numbers("pearson")}));
  for (const BenchmarkCorrelation& one : all) {
    for (std::size_t i = 0; i < one.models.size(); ++i)
      table.row(joinedLists(groupCells(one), Cells{one.models[i], one.result.leaveOneOut.at(i)}));
  }
  return table.take();
}

Table benchmarkPointsTable(const std::vector<BenchmarkCorrelation>& all) {
  TableBuilder table("benchmark_points", joinedLists(groupColumns(), Columns{texts("model"), numbers("value"),
                                                                             numbers("score")}));
  for (const BenchmarkCorrelation& one : all) {
    for (std::size_t i = 0; i < one.models.size(); ++i)
      table.row(joinedLists(groupCells(one), Cells{one.models[i], one.x[i], one.y[i]}));
  }
  return table.take();
}

Table lengthCorrelationsTable(const std::vector<LengthCorrelation>& all) {
  TableBuilder table("length_correlations",
                     joinedLists(joinedLists(scopeColumns(), resultColumns()), familyColumns()));
  for (const LengthCorrelation& one : all)
    table.row(joinedLists(joinedLists(scopeCells(one), resultCells(one.result)), familyCells(one.byFamily)));
  return table.take();
}

Table lengthPointsTable(const std::vector<LengthCorrelation>& all) {
  TableBuilder table("length_points", {texts("suite"), texts("mode"), texts("model"), integers("length"),
                                       numbers("ap"), numbers("score")});
  for (const LengthCorrelation& one : all) {
    if (one.scope != "all") continue;
    for (std::size_t i = 0; i < one.models.size(); ++i)
      table.row({one.suite, one.mode, one.models[i], one.lengths[i], one.ap[i], one.score[i]});
  }
  return table.take();
}

std::vector<Table> linkTables(const PredictorTable& predictors, const Benchmark& benchmark,
                              const CorrelationOptions& options) {
  const auto all = correlateBenchmark(predictors, benchmark, options);
  const auto lengths = correlateLengths(predictors, benchmark, options);
  return {correlationsTable(benchmark.name, all), leaveOneOutTable(all),      benchmarkPointsTable(all),
          lengthCorrelationsTable(lengths),       lengthPointsTable(lengths), leaveFamilyOutTable(all)};
}

}  // namespace plastiscope
