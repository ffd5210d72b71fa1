#include "core/analysis/tables.h"

#include <algorithm>
#include <cmath>

#include "core/analysis/bootstrap.h"
#include "core/analysis/tables/definitions.h"
#include "core/base/error.h"

namespace plastiscope {

namespace {

template <typename Value>
ColumnValues valuesOf(const std::vector<TableRow>& rows, std::size_t number, Value (*value)(Row)) {
  std::vector<Value> values;
  values.reserve(rows.size());
  for (const TableRow& row : rows) values.push_back(value({row.head, row.context, row.index, number}));
  return values;
}

Column filledColumn(const TableColumn& column, const std::vector<TableRow>& rows) {
  return {column.info.column, std::visit(
                                  [&](auto value) -> ColumnValues {
                                    if constexpr (std::is_same_v<decltype(value), std::monostate>)
                                      return Numbers();  // filled by the table's own function
                                    else
                                      return valuesOf(rows, column.number, value);
                                  },
                                  column.value)};
}

Table filledTable(const AnalysisTable& definition, const std::vector<HeadResult>& heads,
                  const TableContext& context) {
  std::vector<TableRow> rows;
  for (const HeadResult& head : heads) {
    const std::size_t count = definition.rowsOf({head, context});
    for (std::size_t index = 0; index < count; ++index) rows.push_back({head, context, index});
  }
  Table table{definition.name, {}};
  for (const TableColumn& column : definition.columns) {
    if (column.wanted != nullptr && !std::ranges::any_of(heads, column.wanted)) continue;
    if (!std::holds_alternative<std::monostate>(column.value))
      table.columns.push_back(filledColumn(column, rows));
  }
  return table;
}

Table madeTable(const AnalysisTable& definition, const TableInput& input) {
  Table table{definition.name, {}};
  if (definition.rowsOf != nullptr) {
    table = filledTable(definition, input.heads, input.context);
  } else {
    std::vector<ColumnValues> values = definition.values(input);
    for (std::size_t c = 0; c < definition.columns.size(); ++c)
      table.columns.push_back({definition.columns[c].info.column, std::move(values[c])});
  }
  if (definition.append != nullptr) definition.append(input, table);
  return table;
}

// Copies the columns of stages that were not computed from the table of the same name in `earlier` to
// `fresh`. False if that table has other heads or lacks a column.
bool takeColumns(const AnalysisTable& definition, Table& fresh, const std::vector<Table>& earlier,
                 const AnalysisStages& computed) {
  const Table* old = findTable(earlier, fresh.name);
  if (old == nullptr) return false;
  for (const char* place : {"layer", "head"}) {
    const Column* column = old->find(place);
    if (column == nullptr || column->values != ColumnValues(fresh.integers(place))) return false;
  }
  std::vector<Column> columns;
  for (const TableColumn& each : definition.columns) {
    const Column* column = fresh.find(each.info.column);
    const Column* before = old->find(each.info.column);
    if (computed.has(each.stage)) {
      if (column != nullptr) columns.push_back(*column);
      continue;
    }
    // Takes columns that only some analyses have from the earlier one.
    if (column != nullptr && (before == nullptr || before->values.index() != column->values.index()))
      return false;
    if (before != nullptr) columns.push_back(*before);
  }
  fresh.columns = std::move(columns);
  return true;
}

// Whether some columns belong to other stages than the table itself.
bool isMixed(const AnalysisTable& definition) {
  return std::ranges::any_of(definition.columns, [&](const TableColumn& column) {
    return column.stage != definition.stage && column.stage != AnalysisStage::None;
  });
}

bool isWanted(const AnalysisTable& definition, const std::vector<HeadResult>& heads,
              const TableContext& context) {
  if (definition.hasWhat != nullptr && !definition.hasWhat(context)) return false;
  return definition.wanted == nullptr || std::ranges::any_of(heads, definition.wanted);
}

// Replaces sampled columns by corrected estimates, if the heads have them.
void putCorrected(Table& table, const std::vector<HeadResult>& heads) {
  if (heads.empty() || heads.front().corrected.empty()) return;
  const std::vector<std::string>& names = sampledColumns();
  for (std::size_t c = 0; c < names.size(); ++c) {
    Numbers values;
    for (const HeadResult& head : heads) values.push_back(head.corrected[c]);
    const auto column = std::ranges::find(table.columns, names[c], &Column::name);
    if (column != table.columns.end()) column->values = std::move(values);
  }
}

}  // namespace

void AnalysisTable::add(AnalysisStage computedBy, std::vector<TableColumn> list) {
  for (TableColumn& column : list) {
    column.stage = computedBy;
    for (int k = 1; k <= column.count; ++k) {
      TableColumn& one = columns.emplace_back(column);
      if (column.count > 1) one.info = numberedInfo(one.info, k, column.count);
      one.number = static_cast<std::size_t>(k - 1);
    }
  }
}

MetricInfo explainedIn(const char* table) {
  MetricInfo info;
  info.tables = {table};
  return info;
}

TableColumn givenColumn(const char* name, MetricInfo info) {
  info.column = name;
  info.isSigned = !info.sign.empty();
  if (info.label.empty()) info.label = info.title;
  return {std::move(info), {}};
}

TableColumn integerColumn(const char* name, std::int64_t (*value)(Row), MetricInfo info) {
  TableColumn column = givenColumn(name, std::move(info));
  column.value = value;
  return column;
}

TableColumn realColumn(const char* name, double (*value)(Row), MetricInfo info) {
  TableColumn column = givenColumn(name, std::move(info));
  column.value = value;
  return column;
}

TableColumn wordColumn(const char* name, std::string (*value)(Row), MetricInfo info) {
  TableColumn column = givenColumn(name, std::move(info));
  column.value = value;
  column.info.isText = true;
  return column;
}

TableColumn numbered(int count, TableColumn column) {
  column.count = count;
  return column;
}

std::vector<TableColumn> ofBothKinds(const std::string& name, double (*ofQueries)(Row), double (*ofKeys)(Row),
                                     const MetricInfo& info) {
  const auto columnOf = [&](double (*value)(Row), const char* kind, const char* kinds, const char* lower,
                            const char* upper) {
    TableColumn column = realColumn(name.c_str(), value, info);
    column.info =
        filledIn(column.info, {{"{query}", kind}, {"{queries}", kinds}, {"{q}", lower}, {"{Q}", upper}});
    return column;
  };
  return {columnOf(ofQueries, "query", "queries", "q", "Q"), columnOf(ofKeys, "key", "keys", "k", "K")};
}

TableColumn withoutInterval(TableColumn column) {
  column.hasInterval = false;
  return column;
}

TableColumn heavyTailed(TableColumn column) {
  column.heavyTailed = true;
  return column;
}

TableColumn overTexts(TableColumn column) {
  column.ofTexts = true;
  return column;
}

TableColumn whereMade(TableColumn column, bool (*wanted)(const HeadResult&)) {
  column.wanted = wanted;
  return column;
}

TableColumn whereScored(TableColumn column) {
  return whereMade(overTexts(std::move(column)), [](const HeadResult& head) { return head.scored; });
}

TableColumn ofProbe(const char* name, double (*value)(Row), MetricInfo info) {
  return whereMade(withoutInterval(realColumn(name, value, std::move(info))),
                   [](const HeadResult& head) { return head.probe.has_value(); });
}

AnalysisTable tableOfHeads(AnalysisTable table) {
  table.add(AnalysisStage::None,
            {integerColumn(
                 "layer", [](Row r) { return r.head.place.layer; }, explainedIn("heads")),
             integerColumn("head", [](Row r) { return r.head.place.head; }, explainedIn("heads"))});
  return table;
}

AnalysisTable summaryTable(const char* name, const char* rows, const char* text,
                           std::vector<ColumnValues> (*values)(const TableInput&),
                           void (*append)(const TableInput&, Table&)) {
  return {name, rows, text, AnalysisStage::None, nullptr, values, append};
}

double nearestRopePair(Row row, double omega) {
  const auto rope = row.context.rope.find(row.head.place.layer);
  if (rope == row.context.rope.end() || std::isnan(omega)) return kMissing;
  const std::vector<double>& frequencies = rope->second.frequencies;
  double nearest = kMissing, least = 0;
  for (std::size_t pair = 0; pair < frequencies.size(); ++pair) {
    const double distance = std::abs(frequencies[pair] - std::abs(omega));
    if (pair > 0 && distance >= least) continue;
    nearest = static_cast<double>(pair);
    least = distance;
  }
  return nearest;
}

const std::vector<AnalysisTable>& analysisTables() {
  static const std::vector<AnalysisTable> tables = [] {
    std::vector<AnalysisTable> list;
    for (const auto definition : {headsDefinition,
                                  componentsDefinition,
                                  axesDefinition,
                                  profileDefinition,
                                  mapDefinition,
                                  mapModelDefinition,
                                  componentWeightsDefinition,
                                  componentWeightsPairsDefinition,
                                  lengthsDefinition,
                                  diagnosticsDefinition,
                                  decompositionDefinition,
                                  planesDefinition,
                                  slopesDefinition,
                                  projectionsDefinition,
                                  recoveryDefinition,
                                  layersDefinition,
                                  depthDefinition,
                                  facetsDefinition,
                                  taxonomyDefinition,
                                  groupsDefinition,
                                  coordinationDefinition,
                                  recoveryModelDefinition,
                                  modelDefinition,
                                  lossDefinition,
                                  alignedProfileDefinition,
                                  alignedMapDefinition,
                                  alignedMapModelDefinition,
                                  placementDefinition,
                                  placementBinsDefinition,
                                  salienceDefinition,
                                  softmaxDefinition,
                                  textsDefinition,
                                  jackknifeDefinition,
                                  jackknifeProfileDefinition,
                                  textLossDefinition})
      list.push_back(definition());
    return list;
  }();
  return tables;
}

const AnalysisTable& analysisTable(std::string_view name) {
  for (const AnalysisTable& table : analysisTables()) {
    if (table.name == name) return table;
  }
  throw Error(ErrorKind::Internal, "no table " + std::string(name));
}

std::vector<std::string> tableNames() {
  std::vector<std::string> names;
  for (const AnalysisTable& table : analysisTables()) names.emplace_back(table.name);
  return names;
}

Table headsTable(const std::vector<HeadResult>& heads) {
  Table table = filledTable(analysisTable("heads"), heads, {});
  putCorrected(table, heads);
  return table;
}

Table layersTable(const Table& heads) {
  return madeTable(analysisTable("layers"), {{}, heads, {}});
}

Table modelTable(const Table& heads) {
  return madeTable(analysisTable("model"), {{}, heads, {}});
}

std::vector<Table> makeTables(const std::vector<HeadResult>& heads, const TableContext& context) {
  return *makeTables(heads, context, {}, {});
}

std::optional<std::vector<Table>> makeTables(const std::vector<HeadResult>& heads,
                                             const TableContext& context, const AnalysisStages& computed,
                                             const std::vector<Table>& earlier) {
  Table perHead = headsTable(heads);
  if (!computed.all() && !takeColumns(analysisTable("heads"), perHead, earlier, computed))
    return std::nullopt;
  const TableInput input{heads, perHead, context};
  std::vector<Table> tables;
  for (const AnalysisTable& definition : analysisTables()) {
    if (!computed.has(definition.stage)) {
      if (const Table* table = findTable(earlier, definition.name))
        tables.push_back(withoutEstimates(*table));
      continue;
    }
    if (!isWanted(definition, heads, context)) continue;
    if (definition.name == perHead.name) {
      tables.push_back(perHead);
      continue;
    }
    tables.push_back(madeTable(definition, input));
    if (!computed.all() && isMixed(definition) && !takeColumns(definition, tables.back(), earlier, computed))
      return std::nullopt;
  }
  return tables;
}

std::string sparseRangesWarning(const std::vector<HeadResult>& heads) {
  struct Sparse {
    std::int64_t heads = 0, missing = 0, bins = 0;
  };
  std::vector<std::pair<std::string, Sparse>> ranges;
  for (const HeadResult& head : heads) {
    if (!head.model.present) continue;
    const auto list = head.summary.ranges();
    if (ranges.empty()) {
      for (const RangeMean* range : list) ranges.push_back({range->name, {}});
    }
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (!list[i]->isSparse()) continue;
      ++ranges[i].second.heads;
      ranges[i].second.missing = std::max(ranges[i].second.missing, list[i]->missing);
      ranges[i].second.bins = list[i]->bins;
    }
  }
  std::string text;
  for (const auto& [name, sparse] : ranges) {
    if (sparse.heads == 0) continue;
    text += (text.empty() ? "" : "; ") + name + " (up to " + withCommas(sparse.missing) + " of " +
            withCommas(sparse.bins) + " bins, " + withCommas(sparse.heads) + " heads)";
  }
  return text.empty() ? "" : kSparseRanges + (" have no value in: " + text);
}

}  // namespace plastiscope
