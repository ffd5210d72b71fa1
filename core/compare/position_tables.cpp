// Plasticity over positions: profiles, equal positions in tokens, maps.
#include <algorithm>
#include <cmath>
#include <set>

#include "core/compare/comparison_tables.h"
#include "core/compare/position_ranges.h"
#include "core/compare/spread.h"
#include "core/compare/table_builder.h"
#include "core/views/map_data.h"
#include "core/views/profile_data.h"

namespace plastiscope {

Table profilesTable(const Comparison& comparison) {
  TableBuilder table("profiles",
                     {texts("model"), integers("bin"), numbers("start"), numbers("end"), numbers("tau"),
                      numbers("relative_position"), numbers("ap"), integers("heads")});
  for (const ComparedModel& model : comparison.models) {
    const auto field = makeProfileField(*model.analysis);
    for (std::size_t b = 0; b < field->bins(); ++b) {
      table.row({model.name, static_cast<std::int64_t>(b), field->start[b], field->end[b], field->tau[b],
                 field->tau[b] / static_cast<double>(field->window), field->mean[b], field->meanHeads[b]});
    }
  }
  return table.take();
}

Table equalPositionsTable(const Comparison& comparison) {
  TableBuilder table("equal_positions", {texts("ranges"), integers("from"), integers("to"), texts("model"),
                                         numbers("reached"), numbers("ap"), integers("heads")});
  std::vector<PositionProfile> profiles;
  std::int64_t longest = 0;
  for (const ComparedModel& model : comparison.models) {
    profiles.emplace_back(*model.analysis);
    longest = std::max(longest, profiles.back().window());
  }
  for (const LengthRange& range : lengthRanges()) {
    if (range.from >= longest) continue;
    for (std::size_t i = 0; i < profiles.size(); ++i) {
      const std::int64_t window = profiles[i].window();
      const bool reached = window > range.from;
      const RangeAp mean = reached ? profiles[i].mean(range) : RangeAp{kMissing, 0};
      table.row({std::string(range.ranges), range.from, range.to, comparison.models[i].name,
                 reached ? static_cast<double>(std::min(window, range.to)) : kMissing, mean.ap, mean.heads});
    }
  }
  return table.take();
}

Table mapDifferenceTable(const Comparison& comparison) {
  TableBuilder table("map_difference", {texts("against"), integers("distance_cell"),
                                        integers("midpoint_cell"), numbers("pp_first"), numbers("pp"),
                                        numbers("difference"), integers("pairs_first"), integers("pairs")});
  if (comparison.models.size() < 2) return table.take();
  const MapData first = makeMap(*comparison.models.front().analysis, {});
  for (std::size_t i = 1; i < comparison.models.size(); ++i) {
    const MapData other = makeMap(*comparison.models[i].analysis, {});
    if (other.cell != first.cell) continue;
    for (std::int64_t row = 0; row < std::min(first.rows, other.rows); ++row) {
      for (std::int64_t column = 0; column < std::min(first.columns, other.columns); ++column) {
        const std::size_t a = first.index(column, row), b = other.index(column, row);
        if (first.count[a] == 0 || other.count[b] == 0) continue;
        table.row({comparison.models[i].name, column, row, first.mean[a], other.mean[b],
                   other.mean[b] - first.mean[a], first.count[a], other.count[b]});
      }
    }
  }
  return table.take();
}

}  // namespace plastiscope
