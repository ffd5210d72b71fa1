#include "core/views/taxonomy_data.h"

#include <cmath>

#include "core/views/table_reading.h"

namespace plastiscope {

std::vector<TaxonomyClass> taxonomyClasses() {
  return {{"position_dominated", "position-dominated", 0},
          {"q_positional", "Q-positional", 0},
          {"k_positional", "K-positional", 0},
          {"content_focused", "content-focused", 0},
          {"mixed", "mixed", 0}};
}

TaxonomyData makeTaxonomy(const AnalysisFile& analysis, const HeadScope& scope) {
  const HeadScope heads{std::nullopt, scope.layer};
  requireScope(analysis, heads);
  TaxonomyData data;
  data.classes = taxonomyClasses();
  const AnalysisSettings settings = settingsOf(analysis);
  data.low = settings.taxonomyLow;
  data.high = settings.taxonomyHigh;
  const Table& table = requiredTable(analysis, "heads");
  const HeadColumns names(table);
  const auto& classNames = textColumn(table, "taxonomy");
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (!heads.holds(names[row])) continue;
    std::size_t place = 0;
    while (place < data.classes.size() && data.classes[place].name != classNames[row]) ++place;
    const double rQuery = numberAt(table, "r_q", row), rKey = numberAt(table, "r_k", row);
    if (place == data.classes.size() || !std::isfinite(rQuery) || !std::isfinite(rKey)) {
      ++data.undefined;
      continue;
    }
    ++data.classes[place].heads;
    data.points.push_back({names[row], rQuery, rKey, place});
  }
  return data;
}

}  // namespace plastiscope
