#pragma once
// One function a table. To add one: its function in a file of this folder, its line here and its line in
// core/analysis/tables.cpp.
#include "core/analysis/tables.h"

namespace plastiscope {

struct TableInput {
  const std::vector<HeadResult>& heads;  // in order of layer and head
  const Table& perHead;                  // heads.csv
  const TableContext& context;
};

Table componentsTable(const TableInput& input);
Table axesTable(const TableInput& input);
Table profileTable(const TableInput& input);
Table mapTable(const TableInput& input);
Table mapModelTable(const TableInput& input);
Table componentWeightsTable(const TableInput& input);
Table lengthsTable(const TableInput& input);
Table diagnosticsTable(const TableInput& input);
Table decompositionTable(const TableInput& input);
Table componentWeightPairsTable(const TableInput& input);
Table planesTable(const TableInput& input);
Table slopesTable(const TableInput& input);
Table projectionsTable(const TableInput& input);
Table bumpTable(const TableInput& input);
Table bumpModelTable(const TableInput& input);
Table depthTable(const TableInput& input);
Table facetsTable(const TableInput& input);
Table taxonomyTable(const TableInput& input);
Table groupsTable(const TableInput& input);
Table coordinationTable(const TableInput& input);

}  // namespace plastiscope
