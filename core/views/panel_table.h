#pragma once
// The plotted numbers of a figure of several panels in one table.
#include <string>
#include <utility>
#include <vector>

#include "core/base/table.h"

namespace plastiscope {

struct PanelTable {
  std::string panel;  // "a L12H6"
  Table table;
};

// All rows one after another behind a column `panel`; columns that only some panels have are empty in the
// others.
Table joinPanels(const std::vector<PanelTable>& panels);

}  // namespace plastiscope
