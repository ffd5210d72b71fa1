#include "widgets/export/published_rows.h"

namespace plastiscope {

namespace {

// Whole numbers cannot be missing; as real numbers they are written the same.
void allowMissing(Column& column) {
  if (const auto* whole = std::get_if<std::vector<std::int64_t>>(&column.values))
    column.values = std::vector<double>(whole->begin(), whole->end());
}

}  // namespace

Table withPublished(Table table, const GhostCurve& curve, const std::string& x, const std::string& y,
                    const std::function<double(double)>& place) {
  if (curve.empty()) return table;
  for (Column& column : table.columns) {
    allowMissing(column);
    for (std::size_t i = 0; i < curve.x.size(); ++i) {
      if (auto* texts = std::get_if<std::vector<std::string>>(&column.values)) {
        texts->push_back(column.name == "series" ? curve.label + ", " + curve.source : "");
        continue;
      }
      auto& numbers = std::get<std::vector<double>>(column.values);
      numbers.push_back(column.name == x ? place(curve.x[i]) : column.name == y ? curve.y[i] : kMissing);
    }
  }
  return table;
}

}  // namespace plastiscope
