#include "core/views/panel_table.h"

#include <algorithm>
#include <limits>

namespace plastiscope {

namespace {

template <typename Value>
bool holdsAll(const std::vector<PanelTable>& panels, const std::string& name) {
  return std::all_of(panels.begin(), panels.end(), [&name](const PanelTable& panel) {
    const Column* column = panel.table.find(name);
    return column != nullptr && std::holds_alternative<std::vector<Value>>(column->values);
  });
}

bool holdsText(const std::vector<PanelTable>& panels, const std::string& name) {
  return std::any_of(panels.begin(), panels.end(), [&name](const PanelTable& panel) {
    const Column* column = panel.table.find(name);
    return column != nullptr && std::holds_alternative<std::vector<std::string>>(column->values);
  });
}

// As real numbers: whole ones are written the same.
std::vector<double> numbersOf(const Column& column) {
  if (const auto* whole = std::get_if<std::vector<std::int64_t>>(&column.values))
    return {whole->begin(), whole->end()};
  return std::get<std::vector<double>>(column.values);
}

template <typename Value, typename Read>
Column joined(const std::vector<PanelTable>& panels, const std::string& name, const Value& missing,
              const Read& read) {
  std::vector<Value> values;
  for (const PanelTable& panel : panels) {
    const Column* column = panel.table.find(name);
    const std::vector<Value> part =
        column == nullptr ? std::vector<Value>(panel.table.rows(), missing) : read(*column);
    values.insert(values.end(), part.begin(), part.end());
  }
  return {name, std::move(values)};
}

Column joinedColumn(const std::vector<PanelTable>& panels, const std::string& name) {
  using Whole = std::vector<std::int64_t>;
  using Texts = std::vector<std::string>;
  if (holdsText(panels, name))
    return joined<std::string>(panels, name, "",
                               [](const Column& column) { return std::get<Texts>(column.values); });
  if (holdsAll<std::int64_t>(panels, name))
    return joined<std::int64_t>(panels, name, 0,
                                [](const Column& column) { return std::get<Whole>(column.values); });
  return joined<double>(panels, name, std::numeric_limits<double>::quiet_NaN(), numbersOf);
}

}  // namespace

Table joinPanels(const std::vector<PanelTable>& panels) {
  std::vector<std::string> names, labels;
  for (const PanelTable& panel : panels) {
    labels.insert(labels.end(), panel.table.rows(), panel.panel);
    for (const Column& column : panel.table.columns) {
      if (std::find(names.begin(), names.end(), column.name) == names.end()) names.push_back(column.name);
    }
  }
  Table table{panels.empty() ? "panels" : panels.front().table.name, {{"panel", std::move(labels)}}};
  for (const std::string& name : names) table.columns.push_back(joinedColumn(panels, name));
  return table;
}

}  // namespace plastiscope
