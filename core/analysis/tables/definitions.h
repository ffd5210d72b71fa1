#pragma once
// Definitions of tables and their columns. To add a column: its entry in the table's definition, in a file of
// this folder; to add a table: its definition and its line in core/analysis/tables.cpp.
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/analysis/columns.h"
#include "core/analysis/tables.h"

namespace plastiscope {

using Integers = std::vector<std::int64_t>;
using Numbers = std::vector<double>;
using Texts = std::vector<std::string>;

// Input of the value of a cell.
struct TableRow {
  const HeadResult& head;
  const TableContext& context;
  std::size_t index = 0;   // index of the row among those of its head
  std::size_t number = 0;  // k of numbered columns, from 0
};
using Row = const TableRow&;

struct TableColumn {
  using Value = std::variant<std::monostate, std::int64_t (*)(Row), double (*)(Row), std::string (*)(Row)>;
  MetricInfo info;  // without title: described in the table info.tables
  Value value;      // none: the table's own function fills it
  int count = 1;    // number of numbered columns, from 1
  std::size_t number = 0;
  bool hasInterval = true;  // in a resampled analysis
  bool heavyTailed = false;
  bool ofTexts = false;  // unbiased over texts: has the jackknife's interval in every analysis
  bool (*wanted)(const HeadResult&) = nullptr;  // left out if false for all heads
  AnalysisStage stage = AnalysisStage::None;    // computes the column
};

// Input of a table over all heads.
struct TableInput {
  const std::vector<HeadResult>& heads;  // in order of layer and head
  const Table& perHead;                  // heads.csv
  const TableContext& context;
};

struct AnalysisTable {
  const char *name, *rows, *text;
  AnalysisStage stage = AnalysisStage::None;  // computes the whole table
  // Rows of a head; null for a table over all heads, whose columns `values` gives in order.
  std::size_t (*rowsOf)(Row) = nullptr;
  std::vector<ColumnValues> (*values)(const TableInput&) = nullptr;
  void (*append)(const TableInput&, Table&) = nullptr;  // adds columns computed from others
  bool (*wanted)(const HeadResult&) = nullptr;          // left out if false for all heads
  bool (*hasWhat)(const TableContext&) = nullptr;       // left out if false
  std::vector<TableColumn> columns = {};

  void add(std::vector<TableColumn> list) { add(stage, std::move(list)); }
  void add(AnalysisStage computedBy, std::vector<TableColumn> list);
};

// A table with rows per head; its first columns are layer and head.
AnalysisTable tableOfHeads(AnalysisTable table);
// A table over all heads, computed by every stage.
AnalysisTable summaryTable(const char* name, const char* rows, const char* text,
                           std::vector<ColumnValues> (*values)(const TableInput&),
                           void (*append)(const TableInput&, Table&) = nullptr);

// Rows of heads.csv that facets.csv counts for a value of a facet.
std::vector<std::size_t> facetRows(const Table& heads, std::string_view facet, const std::string& value);

// All tables of an analysis, in the order of the file.
const std::vector<AnalysisTable>& analysisTables();
const AnalysisTable& analysisTable(std::string_view name);  // table with that name

inline constexpr std::optional<std::pair<double, double>> kNoRange = std::nullopt;
inline constexpr std::optional<std::pair<double, double>> kShare = std::pair(0.0, 1.0),
                                                          kSignedShare = std::pair(-1.0, 1.0),
                                                          kRightAngle = std::pair(0.0, 90.0);

// Texts shared by several columns: caveats, then meanings of a positive value.
inline constexpr const char
    *kPerToken = "Per token: to compare windows use Bn, its value times the window.",
    *kOfWindow = "Relative to the window: compare models of different windows over equal positions instead.",
    *kOfBAxis = "Depends on the chosen b axis.",
    *kSignOnly = "Its sign follows the sign rule of the component; the size does not.",
    *kPartsMayOverlap = "The parts need not add up: key statistics vary in both runs.",
    *kOfScored = "Missing in recordings and in captures of version 1.0, except for heads of --dense.",
    *kOverAllPositions = "Over all positions together, in the Householder basis.";
inline constexpr const char *kRecency = "Positive = recency: later keys win; negative = primacy.",
                            *kAlongA = "The axis a points along growing position on the pool.",
                            *kAlongB = "The axis b points from keys to queries.",
                            *kBySignRule = "By the sign rule of the component.";

// A column with the same description as in another table.
MetricInfo explainedIn(const char* table);

TableColumn integerColumn(const char* name, std::int64_t (*value)(Row), MetricInfo info);
TableColumn realColumn(const char* name, double (*value)(Row), MetricInfo info);
TableColumn wordColumn(const char* name, std::string (*value)(Row), MetricInfo info);
TableColumn givenColumn(const char* name, MetricInfo info);
TableColumn numbered(int count, TableColumn column);
// Two adjacent columns for queries and keys: {query}, {queries}, {q} and {Q} in name and texts are replaced
// for each kind.
std::vector<TableColumn> ofBothKinds(const std::string& name, double (*ofQueries)(Row), double (*ofKeys)(Row),
                                     const MetricInfo& info);
TableColumn withoutInterval(TableColumn column);
TableColumn heavyTailed(TableColumn column);
TableColumn overTexts(TableColumn column);
TableColumn whereMade(TableColumn column, bool (*wanted)(const HeadResult&));  // sets `wanted`
TableColumn whereScored(TableColumn column);  // only in analyses of captures with head scores
TableColumn ofProbe(const char* name, double (*value)(Row), MetricInfo info);  // likewise with the probe

inline std::size_t oneRow(Row) {
  return 1;
}
inline std::int64_t asInteger(std::size_t value) {
  return static_cast<std::int64_t>(value);
}
// The RoPE pair of the row's layer whose frequency is nearest to |omega| (the lowest on ties); missing if the
// layer has no RoPE, its frequencies are not known, or omega is missing.
double nearestRopePair(Row row, double omega);

AnalysisTable headsDefinition();
AnalysisTable diagnosticsDefinition();
AnalysisTable decompositionDefinition();
AnalysisTable componentsDefinition();
AnalysisTable axesDefinition();
AnalysisTable planesDefinition();
AnalysisTable slopesDefinition();
AnalysisTable projectionsDefinition();
AnalysisTable profileDefinition();
AnalysisTable lengthsDefinition();
AnalysisTable recoveryDefinition();
AnalysisTable recoveryModelDefinition();
AnalysisTable mapDefinition();
AnalysisTable mapModelDefinition();
AnalysisTable componentWeightsDefinition();
AnalysisTable componentWeightsPairsDefinition();
AnalysisTable layersDefinition();
AnalysisTable depthDefinition();
AnalysisTable facetsDefinition();
AnalysisTable taxonomyDefinition();
AnalysisTable groupsDefinition();
AnalysisTable coordinationDefinition();
AnalysisTable modelDefinition();
AnalysisTable lossDefinition();
AnalysisTable alignedProfileDefinition();
AnalysisTable alignedMapDefinition();
AnalysisTable alignedMapModelDefinition();
AnalysisTable placementDefinition();
AnalysisTable placementBinsDefinition();
AnalysisTable salienceDefinition();
AnalysisTable softmaxDefinition();
AnalysisTable textsDefinition();
AnalysisTable jackknifeDefinition();
AnalysisTable jackknifeProfileDefinition();
AnalysisTable textLossDefinition();

}  // namespace plastiscope
