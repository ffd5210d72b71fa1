#include "core/views/figure_tables.h"

#include <algorithm>
#include <numeric>

#include "core/views/plot.h"

namespace plastiscope {

namespace {

// The columns of the interval of `column`, and its cells: empty without an interval.
std::vector<Column> withInterval(std::vector<Column> columns, const std::string& column) {
  columns.insert(columns.end(),
                 {numbers(column + "_low"), numbers(column + "_high"), texts("interval_over")});
  return columns;
}

std::vector<Cell> withInterval(std::vector<Cell> cells, Interval interval, IntervalOver over) {
  if (!interval.known()) interval = {};
  cells.insert(cells.end(), {interval.low, interval.high, overName(interval, over)});
  return cells;
}

std::vector<std::int64_t> indices(std::size_t size) {
  std::vector<std::int64_t> list(size);
  std::iota(list.begin(), list.end(), 0);
  return list;
}

}  // namespace

Table tableOf(const HeadGridData& data) {
  TableBuilder table("head-grid", {integers("layer"), integers(data.members > 1 ? "group" : "head"),
                                   texts("captured"), numbers(data.metric.column)});
  for (std::int64_t place = 0; place < data.layers * data.heads; ++place) {
    const HeadName name = data.cellAt(place);
    const HeadGridCell& cell = data.at(name.layer, name.head);
    table.row({name.layer, name.head, yesNo(cell.captured), cell.captured ? cell.value : kMissing});
  }
  return table.take();
}

namespace {

// The column of the quantity that colours the rows, unless it is text or position.
std::optional<Column> colourColumn(const RowColouring* colouring) {
  if (!colouring) return std::nullopt;
  const std::string name = namesOf(colouring->by)[static_cast<std::size_t>(colouring->by)];
  switch (colouring->by) {
    case RowColour::Position:
    case RowColour::Text:
      return std::nullopt;
    case RowColour::TokenType:
      return texts(name);
    case RowColour::Quintile:
      return integers(name);
    case RowColour::Norm:
    case RowColour::Rest:
      return numbers(name);
  }
  return std::nullopt;
}

Cell colourCell(const RowColouring& colouring, const PlaneData& data, QueryOrKey kind, std::size_t row) {
  const std::int32_t step = colouring.of(kind)[row];
  if (colouring.by == RowColour::Quintile) return std::int64_t{step} + 1;
  if (colouring.by == RowColour::Norm) return double{data.rows(kind).norm[row]};
  if (colouring.by == RowColour::Rest) return double{data.rows(kind).rest[row]};
  return std::string(namesOf(TokenType())[static_cast<std::size_t>(step)]);
}

}  // namespace

Table tableOf(const PlaneData& data, const RowColouring* colouring) {
  std::vector<Column> columns = {texts("kind"),        integers("row"), texts("example"),
                                 integers("position"), numbers("x"),    numbers("y")};
  const auto colour = colourColumn(colouring);
  if (colour) columns.push_back(*colour);
  TableBuilder table("plane", std::move(columns));
  for (const QueryOrKey kind : {QueryOrKey::Query, QueryOrKey::Key}) {
    const PlaneRows& rows = data.rows(kind);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      std::vector<Cell> cells = {std::string(nameOf(kind)),
                                 static_cast<std::int64_t>(i),
                                 exampleLabel(data.exampleIds, rows.example[i]),
                                 std::int64_t{rows.position[i]},
                                 double{rows.x[i]},
                                 double{rows.y[i]}};
      if (colour) cells.push_back(colourCell(*colouring, data, kind, i));
      table.row(std::move(cells));
    }
  }
  return table.take();
}

Table profileTableOf(const ProfileData& data) {
  const ProfileField& field = *data.field;
  TableBuilder table("profile",
                     withInterval({texts("series"), integers("bin"), numbers("start"), numbers("end"),
                                   numbers("tau"), integers("heads"), numbers("pairs"), numbers("ap")},
                                  "ap"));
  const auto rowOf = [&](const std::string& series, std::size_t bin, std::int64_t heads, double pairs,
                         double ap) -> std::vector<Cell> {
    return {series,
            static_cast<std::int64_t>(bin),
            field.start[bin],
            field.end[bin],
            field.tau[bin],
            heads,
            pairs,
            ap};
  };
  for (std::size_t bin = 0; bin < field.bins(); ++bin)
    table.row(withInterval(rowOf("mean", bin, field.meanHeads[bin], kMissing, field.mean[bin]),
                           {field.meanLow[bin], field.meanHigh[bin]}, IntervalOver::Heads));
  const bool several = data.shown && data.shown->heads > 1;
  for (std::size_t bin = 0; several && bin < field.bins(); ++bin)
    table.row(withInterval(rowOf(data.shown->name, bin, data.shown->heads,
                                 static_cast<double>(data.shown->pairs[bin]), data.shown->ap[bin]),
                           {data.shown->low[bin], data.shown->high[bin]}, IntervalOver::Heads));
  for (std::size_t head = 0; head < field.heads.size(); ++head) {
    for (std::size_t bin = 0; bin < field.bins(); ++bin) {
      const std::size_t index = field.index(head, bin);
      const Interval interval =
          field.apLow.empty() ? Interval() : Interval{field.apLow[index], field.apHigh[index]};
      table.row(withInterval(
          rowOf(field.heads[head].text(), bin, 1, static_cast<double>(field.pairs[index]), field.ap[index]),
          interval, IntervalOver::Examples));
    }
  }
  return table.take();
}

Table quintileTableOf(const ProfileData& data) {
  const ProfileField& field = *data.field;
  TableBuilder table("quintiles", withInterval({texts("series"), integers("quintile"), numbers("from"),
                                                numbers("to"), integers("heads"), numbers("ap")},
                                               "ap"));
  const auto add = [&](const std::string& series, const ProfileData& shown) {
    const QuintileIntervals* intervals = shownIntervals(shown);
    const double fifth = static_cast<double>(field.window);
    for (std::size_t k = 0; k < 5; ++k) {
      table.row(
          withInterval({series, static_cast<std::int64_t>(k) + 1, static_cast<double>(k) / 5 * fifth,
                        static_cast<double>(k + 1) / 5 * fifth,
                        shown.shown ? shown.shown->heads : field.quintileHeads[k], shownQuintiles(shown)[k]},
                       intervals ? Interval{intervals->low[k], intervals->high[k]} : Interval(),
                       shownIntervalsOver(shown)));
    }
  };
  if (data.shown) add(data.shown->name, data);
  add("mean", {data.field, nullptr});
  return table.take();
}

Table tableOf(const MapData& data) {
  TableBuilder table("map", {integers("distance_cell"), integers("midpoint_cell"), integers("distance"),
                             integers("midpoint"), numbers("pairs"), numbers("pp"), texts("shown")});
  for (std::int64_t row = 0; row < data.rows; ++row) {
    for (std::int64_t column = 0; column < data.columns; ++column) {
      const std::size_t index = data.index(column, row);
      const std::int64_t pairs = data.count[index];
      if (pairs == 0) continue;
      table.row({column, row, column * data.cell, row * data.cell,
                 data.published.empty() ? static_cast<double>(pairs) : kMissing, data.mean[index],
                 yesNo(pairs >= data.minCount)});
    }
  }
  return table.take();
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
  TableBuilder table(
      "taxonomy", {integers("layer"), integers("head"), numbers("r_q"), numbers("r_k"), texts("taxonomy")});
  for (const TaxonomyPoint& point : data.points)
    table.row(
        {point.head.layer, point.head.head, point.rQuery, point.rKey, data.classes[point.classIndex].name});
  return table.take();
}

Table tableOf(const DepthData& data) {
  const std::string& metric = data.metric.column;
  TableBuilder table(
      "depth",
      withInterval({texts("series"), integers("layer"), integers("heads"), numbers(metric)}, metric));
  const LayerMeans& means = data.means;
  for (std::size_t i = 0; i < means.layer.size(); ++i)
    table.row(withInterval({data.median ? "median" : "mean", means.layer[i], means.heads[i], means.centre[i]},
                           {means.low[i], means.high[i]}, means.over));
  for (std::size_t i = 0; i < data.heads.size(); ++i)
    table.row(
        withInterval({data.heads[i].text(), data.heads[i].layer, 1, data.values[i]}, {}, IntervalOver::None));
  return table.take();
}

namespace {

template <typename Value>
bool holds(const PanelTable& panel, const std::string& name) {
  const Column* column = panel.table.find(name);
  return column != nullptr && std::holds_alternative<std::vector<Value>>(column->values);
}

// Converts integers to doubles, and numbers to texts, where needed; both are written alike.
template <typename Value>
std::vector<Value> valuesOf(const Table& table, const Column& column) {
  if constexpr (std::is_same_v<Value, std::string>) {
    std::vector<std::string> texts;
    const auto place = static_cast<std::size_t>(&column - table.columns.data());
    for (std::size_t row = 0; row < table.rows(); ++row) texts.push_back(table.cellText(place, row));
    return texts;
  }
  if constexpr (std::is_same_v<Value, double>) {
    if (const auto* whole = std::get_if<std::vector<std::int64_t>>(&column.values))
      return {whole->begin(), whole->end()};
  }
  return std::get<std::vector<Value>>(column.values);
}

template <typename Value>
Column joined(const std::vector<PanelTable>& panels, const std::string& name, const Value& missing) {
  std::vector<Value> values;
  for (const PanelTable& panel : panels) {
    const Column* column = panel.table.find(name);
    const auto part =
        column == nullptr ? std::vector<Value>(panel.table.rows(), missing) : valuesOf<Value>(panel.table, *column);
    values.insert(values.end(), part.begin(), part.end());
  }
  return {name, std::move(values)};
}

Column joinedColumn(const std::vector<PanelTable>& panels, const std::string& name) {
  const auto isText = [&](const PanelTable& panel) { return holds<std::string>(panel, name); };
  const auto isWhole = [&](const PanelTable& panel) { return holds<std::int64_t>(panel, name); };
  if (std::ranges::any_of(panels, isText)) return joined<std::string>(panels, name, "");
  if (std::ranges::all_of(panels, isWhole)) return joined<std::int64_t>(panels, name, 0);
  return joined<double>(panels, name, kMissing);
}

}  // namespace

Table joinPanels(const std::vector<PanelTable>& panels) {
  std::vector<std::string> names, labels;
  for (const PanelTable& panel : panels) {
    labels.insert(labels.end(), panel.table.rows(), panel.panel);
    for (const Column& column : panel.table.columns) {
      if (std::ranges::count(names, column.name) == 0) names.push_back(column.name);
    }
  }
  Table table{panels.empty() ? "panels" : panels.front().table.name, {{"panel", std::move(labels)}}};
  for (const std::string& name : names) table.columns.push_back(joinedColumn(panels, name));
  return table;
}

}  // namespace plastiscope
