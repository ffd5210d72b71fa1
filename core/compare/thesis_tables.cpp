#include "core/compare/thesis_tables.h"

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/base/joined.h"
#include "core/compare/measures.h"
#include "core/compare/reference_data.h"
#include "core/views/metric_info.h"

namespace plastiscope {

namespace {

// A column of a reference table and its heading in the thesis.
struct Taken {
  const char *column, *heading;
};

Column taken(const Table& from, const Taken& column, const std::vector<std::size_t>& rows) {
  const Column& all = *from.find(column.column);
  if (const auto* words = std::get_if<std::vector<std::string>>(&all.values)) {
    std::vector<std::string> values;
    for (const std::size_t row : rows) values.push_back((*words)[row]);
    return {column.heading, values};
  }
  std::vector<double> values;
  for (const std::size_t row : rows) values.push_back(std::get<std::vector<double>>(all.values)[row]);
  return {column.heading, values};
}

template <typename Wanted>
Table takenTable(const std::string& name, const char* reference, const std::vector<Taken>& columns,
                 const Wanted& wanted) {
  const Table from = referenceTable(reference);
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < from.rows(); ++row) {
    if (wanted(from, row)) rows.push_back(row);
  }
  Table table{name, {}};
  for (const Taken& column : columns) table.columns.push_back(taken(from, column, rows));
  return table;
}

constexpr auto kAllRows = [](const Table&, std::size_t) { return true; };

Table configurations() {
  return takenTable("5.1", "models",
                    {{"model", "model"},
                     {"layers", "layers"},
                     {"q_heads", "query heads"},
                     {"kv_heads", "KV heads"},
                     {"head_dim", "head size"},
                     {"claimed_context", "context"},
                     {"capture_length", "window"}},
                    kAllRows);
}

Table checkpoints() {
  return takenTable("5.2", "smollm3_checkpoints",
                    {{"checkpoint", "checkpoint"},
                     {"phase", "phase"},
                     {"window", "window"},
                     {"bucket_size", "bucket"},
                     {"rope_theta", "RoPE base"}},
                    kAllRows);
}

constexpr const char* kQuintileHeadings[] = {"0-20 %", "20-40 %", "40-60 %", "60-80 %", "80-100 %"};

std::vector<Cell> quintileCells(const std::string& name, const std::vector<double>& quintiles) {
  std::vector<Cell> cells = {name};
  cells.insert(cells.end(), quintiles.begin(), quintiles.end());
  cells.emplace_back(quintiles.front() - quintiles.back());
  return cells;
}

Table quintiles() {
  std::vector<Column> columns = {texts("model")};
  for (const char* heading : kQuintileHeadings) columns.push_back(numbers(heading));
  columns.push_back(numbers("drop"));
  TableBuilder table("6.1", columns);
  for (const ReferenceModel& model : publishedModels(PublishedModels::Primary)) {
    const ReferenceCurve curve = referenceQuintiles(model.id);
    std::vector<double> values;
    for (int k = 1; k <= 5; ++k) values.push_back(curve.at(k));
    std::vector<Cell> cells = quintileCells(model.title, values);
    cells.back() = std::round(1000 * std::get<double>(cells.back())) / 1000;  // precision of the printed ones
    table.row(cells);
  }
  return table.take();
}

// Appends a row.
void append(Table& table, const std::vector<Cell>& cells) {
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    Column& column = table.columns[c];
    if (auto* words = std::get_if<std::vector<std::string>>(&column.values))
      words->push_back(std::get<std::string>(cells[c]));
    else
      std::get<std::vector<double>>(column.values).push_back(std::get<double>(cells[c]));
  }
}

double meanOf(const ComparedModel& model, const std::string& metric) {
  return model.published ? publishedMiddle(model, metric) : spreadOf(model.column(metric)).mean;
}

void addOwnQuintiles(const Comparison& own, Table& table) {
  for (const ComparedModel& model : own.models) {
    std::vector<double> values;
    for (int k = 1; k <= 5; ++k) values.push_back(meanOf(model, "ap_quintile_" + std::to_string(k)));
    append(table, quintileCells(model.name, values));
  }
}

constexpr const char* kTrajectory[] = {"ap_first20", "ap_last20", "ap_drop", "bias_strength", "bias_window"};

Table trajectory() {
  return takenTable("6.2", "smollm3_checkpoints",
                    {{"checkpoint", "checkpoint"},
                     {"ap_first20", "AP first 20 %"},
                     {"ap_last20", "AP last 20 %"},
                     {"ap_drop", "AP drop"},
                     {"bias_strength", "bias"},
                     {"bn", "bias over the window"}},
                    kAllRows);
}

void addOwnTrajectory(const Comparison& own, Table& table) {
  for (const ComparedModel& model : own.models) {
    std::vector<Cell> cells = {model.name};
    for (const char* metric : kTrajectory) cells.emplace_back(meanOf(model, metric));
    append(table, cells);
  }
}

Table benchmark() {
  TableBuilder table("6.3", {texts("model"), numbers("LongBench-Pro"), numbers("AP first 20 %"),
                             numbers("AP last 20 %"), numbers("AP drop")});
  const Table scores = referenceTable("longbench_pro_overall");
  for (std::size_t row = 0; row < scores.rows(); ++row) {
    if (scores.numbers("in_matched_set")[row] != 1 || scores.texts("mode")[row] != "non_thinking") continue;
    const std::string& id = scores.texts("model")[row];
    std::vector<Cell> cells = {requiredReferenceModel(id).title, scores.numbers("score")[row]};
    for (const char* metric : {"ap_first20", "ap_last20", "ap_drop"})
      cells.emplace_back(referenceNumber(id, metric).at(0));
    table.row(cells);
  }
  return table.take();
}

Table lengths() {
  return takenTable("6.4", "longbench_pro_lengths",
                    {{"length", "tokens"}, {"score", "LongBench-Pro"}, {"plasticity_matching_bin", "AP"}},
                    [](const Table& table, std::size_t row) {
                      return table.texts("model")[row] == "ministral3-14b" &&
                             !std::isnan(table.numbers("length")[row]);
                    });
}

// Index of `value` in `values`; appends it if missing.
template <typename Value>
std::size_t placeIn(std::vector<Value>& values, const Value& value) {
  const auto found = std::ranges::find(values, value);
  const auto place = static_cast<std::size_t>(found - values.begin());
  if (found == values.end()) values.push_back(value);
  return place;
}

// One row per range of positions, one column per checkpoint; checkpoints with a short window have other
// ranges.
Table positions() {
  const Table from = referenceTable("smollm3_position");
  std::vector<std::pair<double, double>> ranges;
  std::vector<std::string> names;
  std::vector<std::vector<double>> columns;
  for (std::size_t row = 0; row < from.rows(); ++row) {
    const std::size_t range =
        placeIn(ranges, {from.numbers("position_from")[row], from.numbers("position_to")[row]});
    const std::size_t column = placeIn(names, from.texts("checkpoint")[row]);
    columns.resize(names.size());
    for (std::vector<double>& values : columns) values.resize(ranges.size(), kMissing);
    columns[column][range] = from.numbers("ap")[row];
  }
  std::vector<double> starts, ends;
  for (const auto& [start, end] : ranges) {
    starts.push_back(start);
    ends.push_back(end);
  }
  Table table{"A.1", {{"from", starts}, {"to", ends}}};
  for (std::size_t i = 0; i < names.size(); ++i) table.columns.push_back({names[i], columns[i]});
  return table;
}

Table tasks() {
  return takenTable("A.2", "longbench_pro_tasks",
                    {{"task", "task"},
                     {"category", "category"},
                     {"name", "name"},
                     {"context_requirement", "context"},
                     {"samples", "samples"}},
                    kAllRows);
}

constexpr ThesisTable kTables[] = {
    {"5.1", "Configurations of the models", configurations},
    {"5.2", "Checkpoints of SmolLM3", checkpoints},
    {"6.1", "Attention plasticity by quintile of the window", quintiles, addOwnQuintiles},
    {"6.2", "Plasticity and bias over the checkpoints of SmolLM3", trajectory, addOwnTrajectory},
    {"6.3", "Plasticity and LongBench-Pro", benchmark},
    {"6.4", "Ministral-3-14B by length", lengths},
    {"A.1", "SmolLM3 over the extension of its context, by position", positions},
    {"A.2", "Tasks of LongBench-Pro", tasks},
};

}  // namespace

std::span<const ThesisTable> thesisTables() {
  return kTables;
}

bool isThesisTable(const std::string& number) {
  return std::ranges::any_of(kTables, [&](const ThesisTable& table) { return number == table.number; });
}

const ThesisTable& thesisTable(const std::string& number) {
  for (const ThesisTable& table : kTables) {
    if (number == table.number) return table;
  }
  throw UsageError("the thesis has no table \"" + number + "\": there are " +
                   joined(kTables, [](const ThesisTable& table) { return std::string(table.number); }));
}

Table makeThesisTable(const std::string& number, const Comparison* own) {
  const ThesisTable& which = thesisTable(number);
  Table table = which.make();
  if (own == nullptr) return table;
  if (which.addOwn == nullptr)
    throw UsageError("table " + number + " has no numbers that an analysis has: leave out the files");
  which.addOwn(*own, table);
  return table;
}

}  // namespace plastiscope
