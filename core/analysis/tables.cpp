#include "core/analysis/tables.h"

#include <algorithm>

#include "core/analysis/bootstrap.h"
#include "core/analysis/tables/table_list.h"

namespace plastiscope {

namespace {

using TableFunction = Table (*)(const TableInput&);

bool always(const TableInput&) {
  return true;
}

bool hasDecomposition(const TableInput& input) {
  return std::any_of(input.heads.begin(), input.heads.end(),
                     [](const HeadResult& head) { return head.decomposition.has_value(); });
}

bool hasProjections(const TableInput& input) {
  return std::any_of(input.heads.begin(), input.heads.end(),
                     [](const HeadResult& head) { return head.extras.projections.has_value(); });
}

struct TableEntry {
  const char* name;
  TableFunction make;
  bool (*wanted)(const TableInput&) = always;
};

// Every table of an analysis, in the order in which files keep them.
constexpr TableEntry kTables[] = {
    {"heads", [](const TableInput& input) { return input.perHead; }},
    {"components", componentsTable},
    {"axes", axesTable},
    {"profile", profileTable},
    {"map", mapTable},
    {"map_model", mapModelTable},
    {"component_weights", componentWeightsTable},
    {"component_weights_pairs", componentWeightPairsTable},
    {"lengths", lengthsTable},
    {"diagnostics", diagnosticsTable},
    {"decomposition", decompositionTable, hasDecomposition},
    {"planes", planesTable},
    {"slopes", slopesTable},
    {"projections", projectionsTable, hasProjections},
    {"bump", bumpTable},
    {"layers", [](const TableInput& input) { return layersTable(input.perHead); }},
    {"depth", depthTable},
    {"facets", facetsTable},
    {"taxonomy", taxonomyTable},
    {"groups", groupsTable},
    {"coordination", coordinationTable},
    {"bump_model", bumpModelTable},
    {"model", [](const TableInput& input) { return modelTable(input.perHead); }},
};

}  // namespace

std::vector<std::string> tableNames() {
  std::vector<std::string> names;
  for (const TableEntry& entry : kTables) names.emplace_back(entry.name);
  return names;
}

std::vector<Table> makeTables(const std::vector<HeadResult>& heads, const TableContext& context) {
  return *makeTables(heads, context, {}, {});
}

std::optional<std::vector<Table>> makeTables(const std::vector<HeadResult>& heads,
                                             const TableContext& context, const AnalysisParts& computed,
                                             const std::vector<Table>& earlier) {
  Table perHead = headsTable(heads);
  if (!computed.all() && !takeColumns(perHead, earlier, computed)) return std::nullopt;
  const TableInput input{heads, perHead, context};
  std::vector<Table> tables;
  for (const TableEntry& entry : kTables) {
    if (!isComputed(entry.name, computed)) {
      if (const Table* table = findTable(earlier, entry.name)) tables.push_back(withoutEstimates(*table));
      continue;
    }
    if (!entry.wanted(input)) continue;
    tables.push_back(entry.make(input));
    tables.back().name = entry.name;
    const bool mixed = entry.make == diagnosticsTable && !computed.all();
    if (mixed && !takeColumns(tables.back(), earlier, computed)) return std::nullopt;
  }
  return tables;
}

}  // namespace plastiscope
