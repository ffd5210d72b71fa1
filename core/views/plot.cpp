#include "core/views/plot.h"

#include "core/views/metric_info.h"
#include "core/views/plane_data.h"

namespace plastiscope {

Colour Colour::faded(double opacity, double onPaper) const {
  Colour colour = *this;
  colour.alpha = opacity;
  colour.printAlpha = onPaper;
  return colour;
}

Colour Colour::mixed(Ink with, double share) const {
  Colour colour = *this;
  colour.mixes.push_back({with, share});
  return colour;
}

std::vector<const Box*> Plot::allBoxes() const {
  std::vector<const Box*> all;
  for (const Box& box : boxes) {
    all.push_back(&box);
    for (const Box& narrow : box.beside) all.push_back(&narrow);
  }
  for (const Plot& panel : panels) {
    const auto inner = panel.allBoxes();
    all.insert(all.end(), inner.begin(), inner.end());
  }
  return all;
}

std::string richEscaped(const std::string& plain) {
  std::string rich;
  for (const char c : plain) {
    if (c == '&')
      rich += "&amp;";
    else if (c == '<')
      rich += "&lt;";
    else if (c == '>')
      rich += "&gt;";
    else
      rich += c;
  }
  return rich;
}

namespace {

// A value with its axis title: "AP 0.536".
std::string named(const Axis& axis, double value) {
  if (!axis.names.empty()) {
    for (std::size_t i = 0; i < axis.names.size(); ++i) {
      const double place = axis.places.empty() ? static_cast<double>(i) : axis.places[i];
      if (value > place - 0.5 && value < place + 0.5) return richEscaped(axis.names[i]);
    }
    return {};
  }
  std::string title =
      axis.title.substr(axis.title.find('|') == std::string::npos ? 0 : axis.title.rfind('|') + 1);
  title = title.substr(0, title.find(" \u00b7 "));
  const std::string text = axis.ticks == Ticks::Percent ? fixedText(100 * value / axis.unit, 1) + "\u2009%"
                                                        : metricText(value / axis.unit);
  return title.empty() ? text : title + " " + text;
}

std::string both(const Box& box, double x, double y) {
  return named(box.x, x) + "<br>" + named(box.y, y);
}

struct ItemText {
  const Box& box;
  std::size_t i;

  std::string operator()(const PointMarks& m) const { return both(box, m.x[i], m.y[i]); }
  std::string operator()(const LineMark& m) const { return m.noTips ? "" : both(box, m.x[i], m.y[i]); }
  std::string operator()(const BarMarks& m) const {
    const double across = (m.left[i] + m.right[i]) / 2, up = (m.bottom[i] + m.top[i]) / 2;
    return m.lying ? named(box.y, up) + "<br>" + named(box.x, m.right[i] - m.left[i])
                   : both(box, across, m.top[i]);
  }
  std::string operator()(const CellMarks& m) const {
    const std::size_t column = i % m.columns.size(), row = i / m.columns.size();
    const auto middle = [](const std::pair<double, double>& ends) { return (ends.first + ends.second) / 2; };
    const std::string place = both(box, middle(m.columns[column]), middle(m.rows[row]));
    const double unit = box.scale ? box.scale->unit : 1;
    if (m.state[i] == CellState::Empty || m.state[i] == CellState::Outside) return place;
    return place + "<br>" + (box.scale ? box.scale->title + " " : "") + metricText(m.value[i] / unit);
  }
  std::string operator()(const CloudMark& m) const {
    const PlaneData& plane = *m.plane;
    const std::size_t queries = plane.query.size();
    const PlaneRows& rows = i < queries ? plane.query : plane.key;
    const std::size_t row = i < queries ? i : i - queries;
    return std::string(i < queries ? "<b>query</b>" : "<b>key</b>") + " · position " +
           metricText(rows.position[row]);
  }
  template <typename Other>
  std::string operator()(const Other&) const {
    return {};
  }
};

}  // namespace

std::string tipOf(const Box& box, const Mark& mark, std::size_t item) {
  if (item < mark.tips.size()) return mark.tips[item];
  std::string text = std::visit(ItemText{box, item}, mark.kind);
  if (text.empty()) return text;
  const std::string name = item < mark.names.size() ? mark.names[item] : std::string();
  const std::string start = mark.title + (mark.title.empty() || name.empty() ? "" : ", ") + name;
  return start.empty() ? text : "<b>" + start + "</b><br>" + text;
}

}  // namespace plastiscope
