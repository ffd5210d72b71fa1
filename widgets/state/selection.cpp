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

// Empty for names of another program version.
std::vector<HeadName> headsFrom(const Json& value) {
  if (!value.is_string()) return {};
  try {
    return parseHeadList(value.get<std::string>());
  } catch (const Error&) {
    return {};
  }
}

Json rowsJson(const RowChoice& choice) {
  return {{"examples", choice.examples}, {"positions", choice.positions}, {"token_types", choice.tokenTypes}};
}

RowChoice rowsFrom(const Json& value) {
  if (!value.is_object()) return {};
  return {textOr(value, "examples"), textOr(value, "positions"), textOr(value, "token_types")};
}

std::optional<HeadName> headFrom(const Json& value) {
  const auto heads = headsFrom(value);
  return heads.size() == 1 ? std::optional(heads.front()) : std::nullopt;
}

// Values that are not in the enumeration are ignored.
template <typename Enum>
Enum choiceIn(const Json& value, const char* key, Enum before) {
  const auto names = namesOf(before);
  const auto found = std::ranges::find(names, value.value(key, Json()));
  return found == names.end() ? before : static_cast<Enum>(found - names.begin());
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

QString severalText(const std::vector<HeadName>& heads) {
  if (heads.empty()) return {};
  std::set<std::int64_t> layers, columns;
  for (const HeadName& each : heads) {
    layers.insert(each.layer);
    columns.insert(each.head);
  }
  const auto range = [](const QString& letter, const std::set<std::int64_t>& numbers) {
    const QString first = letter + QString::number(*numbers.begin());
    return numbers.size() == 1 ? first
                               : first + QStringLiteral("–") + letter + QString::number(*numbers.rbegin());
  };
  const auto unbroken = [](const std::set<std::int64_t>& numbers) {
    return *numbers.rbegin() - *numbers.begin() + 1 == static_cast<std::int64_t>(numbers.size());
  };
  const QString count = QString::number(heads.size());
  if (heads.size() != layers.size() * columns.size() || !unbroken(layers) || !unbroken(columns))
    return QObject::tr("%1 heads").arg(count);
  return QStringLiteral("%1 × %2: %3")
      .arg(range(QStringLiteral("L"), layers), range(QStringLiteral("H"), columns), count);
}

void ViewSelection::usePlasticity(ApKind kind) {
  plasticity = kind;
  for (std::string* column : {&metric, &axes.x, &axes.y, &axes.colour}) *column = columnAs(kind, *column);
}

const HeadGroup* ViewSelection::findGroup(const std::string& name) const {
  const auto found = std::ranges::find(groups, name, &HeadGroup::name);
  return found == groups.end() ? nullptr : &*found;
}

HeadGroups ViewSelection::drawnGroups() const {
  HeadGroups drawn;
  for (const HeadGroup& each : groups) {
    if (std::ranges::count(shownGroups, each.name) > 0) drawn.push_back(each);
  }
  return drawn;
}

void ViewSelection::useGroups(const HeadGroups& all) {
  groups = all;
  std::erase_if(shownGroups, [this](const std::string& name) { return !findGroup(name); });
  if (!findGroup(group)) group.clear();
  const ViewSelection defaults;
  if (against != "rest" && !findGroup(against)) against = defaults.against;
}

Json ViewSelection::toJson() const {
  Json marks = Json::array();
  for (const HeadName& each : marked) marks.push_back(each.text());
  Json result = {{"head", head ? Json(head->text()) : Json()},
                 {"plasticity", nameOf(plasticity)},
                 {"metric", metric},
                 {"marked", marks},
                 {"filter", filter}};
  if (order != HeadOrder::Layers) result["order"] = nameOf(order);
  if (show != HeadShow::Heads) result["show"] = nameOf(show);
  if (axes != ViewSelection().axes) result["axes"] = Json::array({axes.x, axes.y, axes.colour});
  if (!shownGroups.empty()) result["groups"] = shownGroups;
  if (!group.empty()) result["group"] = {{"name", group}, {"against", against}};
  if (!several.empty()) result["several"] = headListText(several);
  if (position) result["position"] = *position;
  if (cell) result["cell"] = {cell->distance, cell->midpoint};
  if (rowColour != RowColour::Position) result["row_colour"] = nameOf(rowColour);
  if (attendedPart != AttendedPart::Place) result["attended_part"] = nameOf(attendedPart);
  if (!attended.all()) result["attended"] = rowsJson(attended);
  if (attention != AttentionChoice())
    result["attention"] = {{"quantity", nameOf(attention.quantity)},
                           {"cells", nameOf(attention.cells)},
                           {"linear", attention.linear}};
  if (!attentionText.empty()) result["attention_text"] = attentionText;
  if (!causes.empty()) result["causes"] = causes;
  if (!rowChoice.all()) result["rows"] = rowsJson(rowChoice);
  for (const auto& [plot, range] : zoom)
    result["zoom"][plot] = {range.xLow, range.xHigh, range.yLow, range.yHigh};
  return result;
}

ViewSelection ViewSelection::fromJson(const Json& value) {
  ViewSelection result;
  if (!value.is_object()) return result;
  if (value.contains("head")) result.head = headFrom(value["head"]);
  result.plasticity = choiceIn(value, "plasticity", result.plasticity);
  result.order = choiceIn(value, "order", result.order);
  result.show = choiceIn(value, "show", result.show);
  const Json axes = value.value("axes", Json());
  const bool texts = axes.is_array() && axes.size() == 3 &&
                     std::ranges::all_of(axes, [](const Json& each) { return each.is_string(); });
  if (texts) result.axes = {axes[0], axes[1], axes[2]};
  result.several = headsFrom(value.value("several", Json()));
  if (!result.head || !std::ranges::binary_search(result.several, *result.head)) result.several.clear();
  result.metric = textOr(value, "metric", result.metric);
  result.filter = textOr(value, "filter");
  result.causes = textOr(value, "causes");
  if (const Json shown = value.value("groups", Json()); shown.is_array()) {
    for (const Json& each : shown) {
      if (each.is_string()) result.shownGroups.push_back(each);
    }
  }
  if (const Json compared = value.value("group", Json()); compared.is_object()) {
    result.group = textOr(compared, "name");
    result.against = textOr(compared, "against", result.against);
  }
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
  result.rowColour = choiceIn(value, "row_colour", result.rowColour);
  result.attendedPart = choiceIn(value, "attended_part", result.attendedPart);
  result.attended = rowsFrom(value.value("attended", Json()));
  result.rowChoice = rowsFrom(value.value("rows", Json()));
  if (const Json map = value.value("attention", Json()); map.is_object())
    result.attention = {choiceIn(map, "quantity", AttentionQuantity::Weight),
                        choiceIn(map, "cells", CellValue::Max), map.value("linear", Json()) == Json(true)};
  result.attentionText = textOr(value, "attention_text");
  result.zoom = zoomFrom(value.value("zoom", Json()));
  if (!value.contains("plasticity")) result.usePlasticity(result.plasticity);  // version without aligned
  return result;
}

namespace {

// Changes the head and clears what belongs to the previous one.
void choose(ViewSelection& next, HeadName head) {
  if (next.head != head) next.zoom.erase(kPlaneZoom);
  next.head = head;
  if (next.rows && next.rows->layer != head.layer) next.rows = nullptr;
  if (!std::ranges::binary_search(next.several, head)) next.several.clear();
}

// Keeps the head if it is among them. Fewer than two heads: none.
void chooseSeveral(ViewSelection& next, std::vector<HeadName> heads) {
  std::ranges::sort(heads);
  const auto repeats = std::ranges::unique(heads);
  heads.erase(repeats.begin(), repeats.end());
  if (!heads.empty() && !(next.head && std::ranges::binary_search(heads, *next.head)))
    choose(next, heads.front());
  next.several = heads.size() > 1 ? std::move(heads) : std::vector<HeadName>();
}

}  // namespace

template <typename Edit>
void Selection::edit(int kind, const Edit& change) {
  ViewSelection next = m_value;
  change(next);
  if (next == m_value) return;
  if (m_value.head) m_history.push(m_value, kind, QDateTime::currentMSecsSinceEpoch());
  show(next);
}

void Selection::setHead(HeadName head) {
  edit(kHead, [&](ViewSelection& next) { choose(next, head); });
}

void Selection::setSeveral(std::vector<HeadName> heads) {
  edit(kOther, [&](ViewSelection& next) { chooseSeveral(next, std::move(heads)); });
}

void Selection::setMetric(const std::string& metric) {
  edit(kMetric, [&](ViewSelection& next) { next.metric = metric; });
}

void Selection::setPlasticity(ApKind plasticity) {
  edit(kOther, [&](ViewSelection& next) { next.usePlasticity(plasticity); });
}

void Selection::setGrid(HeadOrder order, HeadShow show) {
  edit(kOther, [&](ViewSelection& next) {
    next.order = order;
    next.show = show;
    next.zoom.erase(kGridZoom);
  });
}

void Selection::setAxes(const HeadAxes& axes) {
  edit(kOther, [&](ViewSelection& next) { next.axes = axes; });
}

void Selection::toggleMark(HeadName head) {
  edit(kOther, [&](ViewSelection& next) {
    if (!next.marked.erase(head)) next.marked.insert(head);
  });
}

void Selection::setGroups(const HeadGroups& groups, const std::vector<std::string>& shown) {
  edit(kOther, [&](ViewSelection& next) {
    next.shownGroups = shown;
    next.useGroups(groups);
  });
}

void Selection::addGroup(const HeadGroup& group, std::vector<HeadName> heads) {
  edit(kOther, [&](ViewSelection& next) {
    next.groups.push_back(group);
    next.shownGroups.push_back(group.name);
    next.group = group.name;
    chooseSeveral(next, std::move(heads));
  });
}

void Selection::replaceGroup(const std::string& name, const HeadGroup& group) {
  edit(kOther, [&](ViewSelection& next) {
    std::ranges::replace_if(next.groups, [&](const HeadGroup& each) { return each.name == name; }, group);
    std::ranges::replace(next.shownGroups, name, group.name);
    if (next.filter == groupFilter(name)) next.filter = groupFilter(group.name);
    for (std::string* used : {&next.group, &next.against}) {
      if (*used == name) *used = group.name;
    }
  });
}

void Selection::setShownGroups(const std::vector<std::string>& names) {
  edit(kOther, [&](ViewSelection& next) { next.shownGroups = names; });
}

void Selection::setGroup(const std::string& name, std::vector<HeadName> heads) {
  edit(kOther, [&](ViewSelection& next) {
    next.group = name;
    if (next.against == name) next.against = ViewSelection().against;
    if (!heads.empty()) chooseSeveral(next, std::move(heads));
  });
}

void Selection::setAgainst(const std::string& against) {
  edit(kOther, [&](ViewSelection& next) { next.against = against; });
}

void Selection::setFilter(const std::string& filter) {
  edit(kFilter, [&](ViewSelection& next) { next.filter = filter; });
}

void Selection::setPosition(std::optional<std::int64_t> position) {
  const bool moved = position && m_value.position;  // setting and clearing are separate steps
  edit(moved ? kPosition : kOther, [&](ViewSelection& next) { next.position = position; });
}

void Selection::setCell(std::optional<CellChoice> cell) {
  edit(kOther, [&](ViewSelection& next) { next.cell = cell; });
}

void Selection::setRowColour(RowColour colour) {
  edit(kOther, [&](ViewSelection& next) { next.rowColour = colour; });
}

void Selection::setAttended(AttendedPart part, const RowChoice& choice) {
  edit(kOther, [&](ViewSelection& next) {
    next.attendedPart = part;
    next.attended = choice;
  });
}

void Selection::setAttention(const AttentionChoice& choice) {
  edit(kOther, [&](ViewSelection& next) { next.attention = choice; });
}

void Selection::setAttentionText(const std::string& text) {
  edit(kOther, [&](ViewSelection& next) {
    if (text != next.attentionText) next.zoom.erase(kAttentionZoom);
    next.attentionText = text;
  });
}

void Selection::setRowChoice(const RowChoice& choice) {
  edit(kOther, [&](ViewSelection& next) {
    if (choice != next.rowChoice) next.rows = nullptr;
    next.rowChoice = choice;
  });
}

void Selection::setZoom(const std::string& plot, const std::optional<ViewRange>& range) {
  const bool moved = range && m_value.zoom.contains(plot);
  edit(moved ? kZoom : kOther, [&](ViewSelection& next) {
    if (range)
      next.zoom[plot] = *range;
    else
      next.zoom.erase(plot);
  });
}

void Selection::setCauses(const std::string& figure) {
  ViewSelection next = m_value;
  next.causes = figure;
  if (next != m_value) show(next);
}

void Selection::setRows(std::vector<std::int64_t> query, std::vector<std::int64_t> key) {
  if (!m_value.head) return;
  const SelectedRows rows{m_value.head->layer, std::move(query), std::move(key)};
  if (m_value.rows && *m_value.rows == rows) return;
  const bool none = rows.query.empty() && rows.key.empty();
  edit(kOther,
       [&](ViewSelection& next) { next.rows = none ? nullptr : std::make_shared<const SelectedRows>(rows); });
}

void Selection::reset(const ViewSelection& value) {
  m_history = {};
  show(value);
}

void Selection::undo() {
  if (canUndo()) showStep(m_history.undo(m_value));
}

void Selection::redo() {
  if (canRedo()) showStep(m_history.redo(m_value));
}

void Selection::showStep(ViewSelection step) {
  step.causes = m_value.causes;
  show(step);
}

void Selection::show(const ViewSelection& next) {
  const ViewSelection before = std::exchange(m_value, next);
  Q_EMIT changed(m_value, before);
}

}  // namespace plastiscope

#include "moc_selection.cpp"
