#include "core/views/figure_tables.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/views/plot.h"

namespace plastiscope {

namespace {

using Integers = std::vector<std::int64_t>;
using Numbers = std::vector<double>;

// The 95 % intervals beside the values of a column, row by row.
struct IntervalColumns {
  Numbers low, high;
  Texts over;

  void add(double lowEnd, double highEnd, IntervalOver of) {
    const bool known = std::isfinite(lowEnd) && std::isfinite(highEnd);
    low.push_back(known ? lowEnd : kMissing);
    high.push_back(known ? highEnd : kMissing);
    over.push_back(known ? nameOf(of) : "");
  }
  void addTo(Table& table, const std::string& column) {
    table.columns.push_back({column + "_low", std::move(low)});
    table.columns.push_back({column + "_high", std::move(high)});
    table.columns.push_back({"interval_over", std::move(over)});
  }
};

Integers indices(std::size_t size) {
  Integers numbers;
  for (std::size_t i = 0; i < size; ++i) numbers.push_back(static_cast<std::int64_t>(i));
  return numbers;
}

std::string yesNo(bool value) {
  return value ? "true" : "false";
}

}  // namespace

Table tableOf(const HeadGridData& data) {
  Integers layers, heads;
  Texts captured;
  Numbers values;
  for (std::int64_t layer = 0; layer < data.layers; ++layer) {
    for (std::int64_t head = 0; head < data.heads; ++head) {
      const HeadGridCell& cell = data.at(layer, head);
      layers.push_back(layer);
      heads.push_back(head);
      captured.push_back(yesNo(cell.captured));
      values.push_back(cell.captured ? cell.value : kMissing);
    }
  }
  return {
      "head-grid",
      {{"layer", layers}, {"head", heads}, {"captured", captured}, {data.metric.column, std::move(values)}}};
}

Table tableOf(const PlaneData& data) {
  Texts kinds, examples;
  Integers rows, positions;
  Numbers x, y;
  for (const QueryOrKey kind : {QueryOrKey::Query, QueryOrKey::Key}) {
    const PlaneRows& of = data.rows(kind);
    for (std::size_t i = 0; i < of.size(); ++i) {
      const auto example = static_cast<std::size_t>(of.example[i]);
      kinds.emplace_back(kind == QueryOrKey::Query ? "query" : "key");
      rows.push_back(static_cast<std::int64_t>(i));
      examples.push_back(example < data.exampleIds.size() ? data.exampleIds[example]
                                                          : std::to_string(of.example[i]));
      positions.push_back(of.position[i]);
      x.push_back(static_cast<double>(of.x[i]));
      y.push_back(static_cast<double>(of.y[i]));
    }
  }
  return {"plane",
          {{"kind", std::move(kinds)},
           {"row", std::move(rows)},
           {"example", std::move(examples)},
           {"position", std::move(positions)},
           {"x", std::move(x)},
           {"y", std::move(y)}}};
}

Table profileTableOf(const ProfileData& data) {
  const ProfileField& field = *data.field;
  Texts series;
  Numbers start, end, tau, pairs, ap;
  Integers bins, heads;
  IntervalColumns intervals;
  const auto add = [&](const std::string& name, std::size_t bin, double pairCount, std::int64_t headCount,
                       double value) {
    series.push_back(name);
    bins.push_back(static_cast<std::int64_t>(bin));
    start.push_back(field.start[bin]);
    end.push_back(field.end[bin]);
    tau.push_back(field.tau[bin]);
    heads.push_back(headCount);
    pairs.push_back(pairCount);
    ap.push_back(value);
  };
  for (std::size_t bin = 0; bin < field.bins(); ++bin) {
    add("mean", bin, kMissing, field.meanHeads[bin], field.mean[bin]);
    intervals.add(field.meanLow[bin], field.meanHigh[bin], IntervalOver::Heads);
  }
  for (std::size_t head = 0; head < field.heads.size(); ++head) {
    for (std::size_t bin = 0; bin < field.bins(); ++bin) {
      const std::size_t index = field.index(head, bin);
      add(field.heads[head].text(), bin, static_cast<double>(field.pairs[index]), 1, field.ap[index]);
      intervals.add(field.apLow.empty() ? kMissing : field.apLow[index],
                    field.apHigh.empty() ? kMissing : field.apHigh[index], IntervalOver::Examples);
    }
  }
  Table table{"profile",
              {{"series", std::move(series)},
               {"bin", std::move(bins)},
               {"start", std::move(start)},
               {"end", std::move(end)},
               {"tau", std::move(tau)},
               {"heads", std::move(heads)},
               {"pairs", std::move(pairs)},
               {"ap", std::move(ap)}}};
  intervals.addTo(table, "ap");
  return table;
}

Table quintileTableOf(const ProfileData& data) {
  const ProfileField& field = *data.field;
  Texts series;
  Integers quintile, heads;
  Numbers from, to, ap;
  IntervalColumns columns;
  const auto add = [&](const std::string& name, const QuintileValues& values, const ProfileData& shown,
                       std::size_t k, std::int64_t count) {
    const QuintileIntervals* intervals = shownIntervals(shown);
    columns.add(intervals ? intervals->low[k] : kMissing, intervals ? intervals->high[k] : kMissing,
                shownIntervalsOver(shown));
    series.push_back(name);
    quintile.push_back(static_cast<std::int64_t>(k) + 1);
    from.push_back(static_cast<double>(k) / 5 * static_cast<double>(field.window));
    to.push_back(static_cast<double>(k + 1) / 5 * static_cast<double>(field.window));
    heads.push_back(count);
    ap.push_back(values[k]);
  };
  if (data.chosen) {
    for (std::size_t k = 0; k < 5; ++k)
      add(field.heads[*data.chosen].text(), field.quintiles[*data.chosen], data, k, 1);
  }
  for (std::size_t k = 0; k < 5; ++k)
    add("mean", field.quintileMean, {data.field, std::nullopt}, k, field.quintileHeads[k]);
  Table table{"quintiles",
              {{"series", std::move(series)},
               {"quintile", std::move(quintile)},
               {"from", std::move(from)},
               {"to", std::move(to)},
               {"heads", std::move(heads)},
               {"ap", std::move(ap)}}};
  columns.addTo(table, "ap");
  return table;
}

Table tableOf(const MapData& data) {
  Integers column, row, distance, midpoint;
  Numbers pp, pairs;
  Texts shown;
  for (std::int64_t r = 0; r < data.rows; ++r) {
    for (std::int64_t c = 0; c < data.columns; ++c) {
      const std::size_t index = data.index(c, r);
      if (data.count[index] == 0) continue;
      column.push_back(c);
      row.push_back(r);
      distance.push_back(c * data.cell);
      midpoint.push_back(r * data.cell);
      pairs.push_back(data.published.empty() ? static_cast<double>(data.count[index]) : kMissing);
      pp.push_back(data.mean[index]);
      shown.push_back(yesNo(data.count[index] >= data.minCount));
    }
  }
  return {"map",
          {{"distance_cell", std::move(column)},
           {"midpoint_cell", std::move(row)},
           {"distance", std::move(distance)},
           {"midpoint", std::move(midpoint)},
           {"pairs", std::move(pairs)},
           {"pp", std::move(pp)},
           {"shown", std::move(shown)}}};
}

Table tableOf(const ComponentsData& data) {
  return {"components",
          {{"component", indices(data.explainedVariance.size())},
           {"explained_variance_ratio", data.explainedVariance},
           {"r_q", data.rQuery},
           {"r_k", data.rKey}}};
}

Table tableOf(const ComponentWeightsData& data) {
  return {"component-weights",
          {{"dimension", indices(data.weight.size())}, {"rope_pair", data.pairOf}, {"weight", data.weight}}};
}

Table tableOf(const TaxonomyData& data) {
  Integers layer, head;
  Numbers rQuery, rKey;
  Texts taxonomy;
  for (const TaxonomyPoint& point : data.points) {
    layer.push_back(point.head.layer);
    head.push_back(point.head.head);
    rQuery.push_back(point.rQuery);
    rKey.push_back(point.rKey);
    taxonomy.push_back(data.classes[point.classIndex].name);
  }
  return {"taxonomy",
          {{"layer", std::move(layer)},
           {"head", std::move(head)},
           {"r_q", std::move(rQuery)},
           {"r_k", std::move(rKey)},
           {"taxonomy", std::move(taxonomy)}}};
}

Table tableOf(const DepthData& data) {
  Texts series;
  Integers layer, heads;
  Numbers value;
  IntervalColumns intervals;
  const std::string centre = data.median ? "median" : "mean";
  for (std::size_t i = 0; i < data.means.layer.size(); ++i) {
    series.push_back(centre);
    layer.push_back(data.means.layer[i]);
    heads.push_back(data.means.heads[i]);
    value.push_back(data.means.centre[i]);
    intervals.add(data.means.low[i], data.means.high[i], data.means.over);
  }
  for (std::size_t i = 0; i < data.heads.size(); ++i) {
    series.push_back(data.heads[i].text());
    layer.push_back(data.heads[i].layer);
    heads.push_back(1);
    value.push_back(data.values[i]);
    intervals.add(kMissing, kMissing, IntervalOver::None);
  }
  Table table{"depth",
              {{"series", std::move(series)},
               {"layer", std::move(layer)},
               {"heads", std::move(heads)},
               {data.metric.column, std::move(value)}}};
  intervals.addTo(table, data.metric.column);
  return table;
}

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
