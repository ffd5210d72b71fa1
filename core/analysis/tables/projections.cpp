// projections.csv: every row on the axes of its head; only where the settings ask for it.
#include "core/analysis/tables/head_table.h"
#include "core/analysis/tables/table_list.h"

namespace plastiscope {

namespace {

struct Axis {
  const char* name;
  Vector KindProjections::*values;
};
constexpr Axis kAxes[] = {{"a", &KindProjections::a},
                          {"b", &KindProjections::b},
                          {"pc0", &KindProjections::pc0},
                          {"pc1", &KindProjections::pc1}};

struct Columns {
  Texts kind;
  Integers example, position;
  std::vector<Numbers> axes = std::vector<Numbers>(std::size(kAxes)), raw;
};

void append(Columns& columns, const char* kind, const KindProjections& rows) {
  for (std::size_t i = 0; i < rows.position.size(); ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    columns.kind.emplace_back(kind);
    columns.example.push_back(rows.example[i]);
    columns.position.push_back(rows.position[i]);
    for (std::size_t axis = 0; axis < std::size(kAxes); ++axis) {
      const Vector& values = rows.*kAxes[axis].values;
      columns.axes[axis].push_back(values.size() == 0 ? kMissing : values[row]);
    }
    for (std::size_t c = 0; c < columns.raw.size(); ++c)
      columns.raw[c].push_back(rows.raw(row, static_cast<Eigen::Index>(c)));
  }
}

}  // namespace

Table projectionsTable(const TableInput& input) {
  HeadTable table("projections");
  Columns columns;
  std::vector<std::int64_t> dimensions;
  for (const HeadResult& head : input.heads) {
    if (!head.extras.projections) continue;
    const HeadProjections& rows = *head.extras.projections;
    if (columns.raw.empty()) {
      dimensions = rows.rawDimensions;
      columns.raw.resize(dimensions.size());
    }
    for (std::size_t i = rows.query.position.size() + rows.key.position.size(); i > 0; --i)
      table.startRow(head);
    append(columns, "query", rows.query);
    append(columns, "key", rows.key);
  }
  std::vector<Column> list = {
      {"kind", columns.kind}, {"example", columns.example}, {"position", columns.position}};
  for (std::size_t axis = 0; axis < std::size(kAxes); ++axis)
    list.push_back({kAxes[axis].name, columns.axes[axis]});
  for (std::size_t c = 0; c < dimensions.size(); ++c)
    list.push_back({"x" + std::to_string(dimensions[c]), columns.raw[c]});
  return table.finish(std::move(list));
}

}  // namespace plastiscope
