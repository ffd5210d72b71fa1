#include "widgets/state/selection.h"

#include <QDateTime>
#include <algorithm>

#include "core/base/checked_json.h"
#include "core/base/error.h"
#include "core/base/json.h"
#include "core/base/option.h"

namespace plastiscope {
namespace {

enum ChangeKind { kOther = 0, kHead = 1, kMetric = 2, kFilter = 3, kPosition = 4, kZoom = 5 };

std::optional<HeadName> headFrom(const Json& value) {
  if (!value.is_string()) return {};
  try {
    const auto heads = parseHeadList(value.get<std::string>());
    if (heads.size() == 1) return heads.front();
  } catch (const Error&) {  // a name of another program version: nothing is selected
  }
  return {};
}

ViewRanges zoomFrom(const Json& value) {
  ViewRanges zoom;
  if (!value.is_object()) return zoom;
  for (const auto& [plot, ends] : value.items()) {
    const bool numbers =
        ends.is_array() && ends.size() == 4 &&
        std::all_of(ends.begin(), ends.end(), [](const Json& end) { return end.is_number(); });
    if (!numbers) continue;
    const ViewRange range{ends[0], ends[1], ends[2], ends[3]};
    if (range.xLow < range.xHigh && range.yLow < range.yHigh) zoom[plot] = range;
  }
  return zoom;
}

}  // namespace

Json ViewSelection::toJson() const {
  Json marks = Json::array();
  for (const HeadName& each : marked) marks.push_back(each.text());
  Json result = {{"head", head ? Json(head->text()) : Json()},
                 {"metric", metric},
                 {"marked", marks},
                 {"filter", filter}};
  if (position) result["position"] = *position;
  if (cell) result["cell"] = {cell->distance, cell->midpoint};
  if (rowColour != RowColour::Position) result["row_colour"] = nameOf(rowColour);
  if (!rowChoice.all())
    result["rows"] = {{"examples", rowChoice.examples},
                      {"positions", rowChoice.positions},
                      {"token_types", rowChoice.tokenTypes}};
  for (const auto& [plot, range] : zoom)
    result["zoom"][plot] = {range.xLow, range.xHigh, range.yLow, range.yHigh};
  return result;
}

ViewSelection ViewSelection::fromJson(const Json& value) {
  ViewSelection result;
  if (!value.is_object()) return result;
  if (value.contains("head")) result.head = headFrom(value["head"]);
  if (value.contains("metric") && value["metric"].is_string()) result.metric = value["metric"];
  if (value.contains("filter") && value["filter"].is_string()) result.filter = value["filter"];
  if (value.contains("marked") && value["marked"].is_array()) {
    for (const Json& each : value["marked"]) {
      if (const auto head = headFrom(each)) result.marked.insert(*head);
    }
  }
  if (value.contains("position") && value["position"].is_number_integer())
    result.position = value["position"];
  const Json cell = value.value("cell", Json());
  if (cell.is_array() && cell.size() == 2 && cell[0].is_number_integer() && cell[1].is_number_integer())
    result.cell = CellChoice{cell[0], cell[1]};
  const auto colours = namesOf(RowColour());
  if (const auto known = std::ranges::find(colours, value.value("row_colour", Json()));
      known != colours.end())
    result.rowColour = static_cast<RowColour>(known - colours.begin());
  if (const Json rows = value.value("rows", Json()); rows.is_object())
    result.rowChoice = {textOr(rows, "examples"), textOr(rows, "positions"), textOr(rows, "token_types")};
  result.zoom = zoomFrom(value.value("zoom", Json()));
  return result;
}

void Selection::setHead(HeadName head) {
  ViewSelection next = m_value;
  next.head = head;
  if (next.head != m_value.head) next.zoom.erase(kPlaneZoom);
  if (next.rows && next.rows->layer != head.layer) next.rows = nullptr;
  change(next, kHead);
}

void Selection::setMetric(const std::string& metric) {
  ViewSelection next = m_value;
  next.metric = metric;
  change(next, kMetric);
}

void Selection::toggleMark(HeadName head) {
  ViewSelection next = m_value;
  if (!next.marked.erase(head)) next.marked.insert(head);
  change(next, kOther);
}

void Selection::setFilter(const std::string& filter) {
  ViewSelection next = m_value;
  next.filter = filter;
  change(next, kFilter);
}

void Selection::setPosition(std::optional<std::int64_t> position) {
  ViewSelection next = m_value;
  next.position = position;
  change(next, position && m_value.position ? kPosition : kOther);  // on and off are steps of their own
}

void Selection::setCell(std::optional<CellChoice> cell) {
  ViewSelection next = m_value;
  next.cell = cell;
  change(next, kOther);
}

void Selection::setRowColour(RowColour colour) {
  ViewSelection next = m_value;
  next.rowColour = colour;
  change(next, kOther);
}

void Selection::setRowChoice(const RowChoice& choice) {
  ViewSelection next = m_value;
  next.rowChoice = choice;
  if (choice != m_value.rowChoice) next.rows = nullptr;
  change(next, kOther);
}

void Selection::setZoom(const std::string& plot, const std::optional<ViewRange>& range) {
  ViewSelection next = m_value;
  if (range)
    next.zoom[plot] = *range;
  else
    next.zoom.erase(plot);
  change(next, range && m_value.zoom.contains(plot) ? kZoom : kOther);
}

void Selection::setRows(std::vector<std::int64_t> query, std::vector<std::int64_t> key) {
  if (!m_value.head) return;
  ViewSelection next = m_value;
  SelectedRows rows{m_value.head->layer, std::move(query), std::move(key)};
  if (next.rows && *next.rows == rows) return;
  const bool none = rows.query.empty() && rows.key.empty();
  next.rows = none ? nullptr : std::make_shared<const SelectedRows>(std::move(rows));
  change(next, kOther);
}

void Selection::reset(const ViewSelection& value) {
  m_history = {};
  show(value);
}

void Selection::undo() {
  if (canUndo()) show(m_history.undo(m_value));
}

void Selection::redo() {
  if (canRedo()) show(m_history.redo(m_value));
}

void Selection::change(const ViewSelection& next, int kind) {
  if (next == m_value) return;
  if (m_value.head) m_history.push(m_value, kind, QDateTime::currentMSecsSinceEpoch());
  show(next);
}

void Selection::show(const ViewSelection& next) {
  const ViewSelection before = std::exchange(m_value, next);
  Q_EMIT changed(m_value, before);
}

}  // namespace plastiscope

#include "moc_selection.cpp"
