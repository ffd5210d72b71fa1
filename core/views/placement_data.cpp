#include "core/views/placement_data.h"

#include <map>
#include <set>

#include "core/base/error.h"

namespace plastiscope {

namespace {

const Table& optedTable(const AnalysisFile& analysis, const char* table) {
  const Table* found = analysis.find(table);
  if (found == nullptr)
    throw InputError("this analysis has no " + std::string(table) + ": analyse the capture with " + table +
                     " on (--" + table + " on)");
  return *found;
}

}  // namespace

SplitPart estimateOf(const AnalysisFile& analysis, const HeadScope& scope, const std::string& column) {
  const Table& heads = requiredTable(analysis, "heads");
  SplitPart estimate;
  std::vector<double> values;
  for (const RowRun& run : rowsIn(scope, analysis, heads)) {
    for (std::size_t row = run.first; row < run.end; ++row) {
      values.push_back(numberAt(heads, column, row));
      estimate.interval = intervalOverExamples(heads, column, row);
    }
  }
  estimate.value = meanOfPresent(values);
  estimate.over = IntervalOver::Examples;
  if (values.size() > 1) {
    const bool all = !scope.layer && scope.several.empty();
    estimate.over = all ? modelIntervals(analysis, column) : IntervalOver::Heads;
    estimate.interval = modelInterval(analysis, values, column, estimate.over);
  }
  return estimate;
}

PlacementData makePlacement(const AnalysisFile& analysis, const HeadScope& scope) {
  const Table& table = optedTable(analysis, "placement");
  requireScope(analysis, scope);
  const NumberColumn content(table, "content_tau"), position(table, "position_tau"), ap(table, "ap");
  std::map<double, std::map<double, MeanOf>> cells;  // by content and position
  std::set<double> positions;
  for (const RowRun& run : rowsIn(scope, analysis, table)) {
    for (std::size_t row = run.first; row < run.end; ++row) {
      cells[content[row]][position[row]].add(ap[row]);
      positions.insert(position[row]);
    }
  }
  PlacementData data;
  data.position.assign(positions.begin(), positions.end());
  for (auto& [tau, row] : cells) {
    data.content.push_back(tau);
    for (const double place : data.position) data.ap.push_back(row[place].value());
  }
  data.drop = estimateOf(analysis, scope, "drop_aligned_ends");
  data.ofPlacement = estimateOf(analysis, scope, "drop_placement");
  data.ofContent = estimateOf(analysis, scope, "drop_content");
  data.scopeText = scope.text();
  return data;
}

Table tableOf(const PlacementData& data) {
  TableBuilder table("placement", {numbers("content_tau"), numbers("position_tau"), numbers("ap")});
  for (std::size_t u = 0; u < data.content.size(); ++u) {
    for (std::size_t v = 0; v < data.position.size(); ++v)
      table.row({data.content[u], data.position[v], data.at(u, v)});
  }
  return table.take();
}

SalienceData makeSalience(const AnalysisFile& analysis, const HeadScope& scope) {
  const Table& table = optedTable(analysis, "salience");
  requireScope(analysis, scope);
  const NumberColumn distance(table, "distance"), field(table, "mean_field_bias"),
      measured(table, "measured_score"), pairs(table, "measured_pairs");
  struct At {
    MeanOf field, measured;
    std::int64_t pairs = 0;
  };
  std::map<double, At> places;
  for (const RowRun& run : rowsIn(scope, analysis, table)) {
    for (std::size_t row = run.first; row < run.end; ++row) {
      At& at = places[distance[row]];
      at.field.add(field[row]);
      at.measured.add(measured[row]);
      at.pairs += pairs.index(row);
    }
  }
  SalienceData data;
  for (const auto& [tokens, at] : places) {
    data.distance.push_back(tokens);
    data.field.push_back(at.field.value());
    data.measured.push_back(at.measured.value());
    data.pairs.push_back(at.pairs);
  }
  data.ofPosition = estimateOf(analysis, scope, "rigidity_position");
  data.ofSalience = estimateOf(analysis, scope, "rigidity_salience");
  data.scopeText = scope.text();
  return data;
}

Table tableOf(const SalienceData& data) {
  return {"salience",
          {{"distance", data.distance},
           {"mean_field_bias", data.field},
           {"measured_score", data.measured},
           {"measured_pairs", data.pairs}}};
}

}  // namespace plastiscope
