// Draws bars, markers at their feet and numbers in, above or beside them as shapes.
#include <QFontMetricsF>
#include <algorithm>
#include <cmath>
#include <limits>

#include "widgets/plots/mark_shapes.h"

namespace plastiscope {

namespace {

class BarShapes {
 public:
  BarShapes(const BarMarks& marks, const BoxMap& map, bool clip)
      : m_marks(marks), m_map(map), m_style(map.style()), m_clip(clip) {}

  Primitives make() {
    std::vector<QRectF> bars;
    for (std::size_t i = 0; i < m_marks.left.size(); ++i) {
      const bool known = std::isfinite(m_marks.top[i]) && std::isfinite(m_marks.right[i]);
      const double top = known ? m_marks.top[i] : m_marks.bottom[i];
      QRectF bar =
          QRectF(m_map.at(m_marks.left[i], top), m_map.at(m_marks.right[i], m_marks.bottom[i])).normalized();
      if (m_clip) bar = clampedInto(bar);
      bars.push_back(bar);
      if (!known) continue;
      const QColor fill = colourOf(oneOf(m_marks.fills, i), m_style);
      m_shapes.push_back(rectShape(bar, fill, m_marks.rim ? penOf(*m_marks.rim, m_style) : QPen(Qt::NoPen)));
      if (hasFoot(bar)) addFoot(bar, m_marks.feet[i], m_marks.top[i] < m_marks.bottom[i]);
    }
    if (m_marks.place == BarMarks::Numbers::Inside)
      addNumbersInside(bars);
    else if (!m_marks.numbers.empty())
      addNumbersAbove(bars);
    return std::move(m_shapes);
  }

 private:
  QRectF clampedInto(const QRectF& bar) const {
    const QRectF box = m_map.rect();
    return {QPointF(std::clamp(bar.left(), box.left(), box.right()),
                    std::clamp(bar.top(), box.top(), box.bottom())),
            QPointF(std::clamp(bar.right(), box.left(), box.right()),
                    std::clamp(bar.bottom(), box.top(), box.bottom()))};
  }

  double footSize(const QRectF& bar) const { return std::min(1.35 * m_style.pointSize, 0.7 * bar.width()); }
  // True if there is space for the marker and a number beside it.
  bool hasFoot(const QRectF& bar) const {
    const double number =
        m_marks.place == BarMarks::Numbers::Inside ? QFontMetricsF(m_style.number).height() : 0;
    return !m_marks.feet.empty() && bar.height() >= 2.2 * footSize(bar) + number;
  }

  // Marker that distinguishes series without colour.
  void addFoot(const QRectF& bar, Marker marker, bool below) {
    const double size = footSize(bar);
    const double y = below ? bar.top() + 1.1 * size : bar.bottom() - 1.1 * size;
    m_shapes.push_back(discShape({bar.center().x(), y}, size, m_style.colours.view));
    m_shapes.back().marker = marker;
  }

  void addNumbersInside(const std::vector<QRectF>& bars) {
    const QFontMetricsF metrics(m_style.number);
    for (std::size_t i = 0; i < std::min(bars.size(), m_marks.numbers.size()); ++i) {
      const QString number = QString::fromStdString(m_marks.numbers[i]);
      if (metrics.horizontalAdvance(number) + metrics.height() * 0.4 > bars[i].width()) continue;
      const NumberPlace place = placeInside(i, bars[i], metrics.height());
      if (!place.y) continue;
      const QColor ink =
          place.inBar ? inkOn(colourOf(oneOf(m_marks.fills, i), m_style)) : m_style.colours.text;
      m_shapes.push_back(centredText(number, m_style.number, ink, {bars[i].center().x(), *place.y}));
    }
  }

  struct NumberPlace {
    std::optional<double> y;  // centre of the number; nullopt without space
    bool inBar = true;
  };
  // Centred in the bar or in the part that its interval and foot leave free; for a low bar beyond its
  // interval, else on the other side of its foot.
  NumberPlace placeInside(std::size_t i, const QRectF& bar, double line) const {
    if (!std::isfinite(m_marks.top[i])) return {};
    if (m_marks.lying) return {bar.center().y()};
    const bool below = m_marks.top[i] < m_marks.bottom[i];
    const double sign = below ? 1 : -1;  // sign away from the foot, in pixels
    const double foot = below ? bar.top() : bar.bottom(), end = below ? bar.bottom() : bar.top();
    const bool known = i < m_marks.reach.size() && std::isfinite(m_marks.reach[i]);
    const double interval = known ? std::fabs(m_map.y(m_marks.reach[i]) - m_map.y(m_marks.top[i])) : 0;
    const double from = foot + (hasFoot(bar) ? sign * 1.7 * footSize(bar) : 0);
    const double room = sign * (end - from) - interval;
    if (room >= 0.9 * line) {
      const double middle = bar.center().y(), low = from + sign * line / 2,
                   high = from + sign * (room - line / 2);
      return {std::clamp(middle, std::min(low, high), std::max(low, high))};
    }
    const double gap = line / 2 + m_style.u(1);
    for (const double y :
         {end + sign * (interval + gap), foot - sign * (std::max(0.0, interval - bar.height()) + gap)}) {
      if (y - line / 2 >= m_map.rect().top() && y + line / 2 <= m_map.rect().bottom()) return {y, false};
    }
    return {};
  }

  // Above everything that is higher than the bar, and above a level that the number would cross.
  double numberFoot(std::size_t i, const QRectF& bar, double needed) const {
    double top = m_marks.top[i] < m_marks.bottom[i] ? bar.bottom() - bar.height() : bar.top();
    if (i < m_marks.reach.size() && std::isfinite(m_marks.reach[i]))
      top = std::min(top, m_map.y(m_marks.reach[i]) - m_style.u(1));
    for (const Values& levels : m_marks.levels) {
      const double level = i < levels.size() && std::isfinite(levels[i]) ? m_map.y(levels[i]) : top;
      if (level < top && top - level < needed + m_style.u(m_style.print ? 2 : 4)) top = level - m_style.u(1);
    }
    return top;
  }

  void addNumbersAbove(const std::vector<QRectF>& bars) {
    const QFontMetricsF metrics(m_style.number);
    const double line = metrics.height(), widest = metrics.horizontalAdvance(QStringLiteral("0.888"));
    const bool all = m_marks.place == BarMarks::Numbers::AboveAllOrNone;
    const double bar = bars.empty() ? 0 : bars.front().width();
    const bool turned = all && widest > 1.15 * bar;
    // All or none: some only would look like a selection.
    if (all) {
      if (turned && 0.8 * line > 1.25 * bar) return;
      const double above = m_map.rect().top() - m_style.u(4), needed = turned ? widest : line;
      for (std::size_t i = 0; i < bars.size(); ++i)
        if (numberFoot(i, bars[i], needed) - needed < above) return;
    }
    // In a low box a number is inside its bar, at its foot, if nothing crosses it; else directly above it.
    const double highest = m_clip ? m_map.rect().top() - (metrics.ascent() - metrics.capHeight())
                                  : std::numeric_limits<double>::lowest();
    const double gap = line + lengthOf({0.6, 1}, m_style);
    // If some are inside, all that fit are.
    bool low = false;
    for (std::size_t i = 0; i < bars.size(); ++i) low = low || numberFoot(i, bars[i], line) - gap < highest;
    for (std::size_t i = 0; i < bars.size(); ++i) {
      const QString number = QString::fromStdString(m_marks.numbers[i]);
      if (number.isEmpty()) continue;
      const double width = metrics.horizontalAdvance(number), middle = bars[i].center().x();
      if (!all && width > 1.4 * bars[i].width()) continue;
      const double foot = numberFoot(i, bars[i], turned ? widest : line);
      if (turned) {
        m_shapes.push_back(textShape(number, m_style.number, m_style.colours.text,
                                     {middle - line / 2, foot - lengthOf({1.2, 3}, m_style)}, -90));
        continue;
      }
      const bool inside = low && bars[i].height() >= 1.1 * line;
      const double top = inside                 ? bars[i].bottom() - line
                         : foot - gap < highest ? std::max(highest, bars[i].top() - gap)
                                                : foot - gap;
      m_shapes.push_back(
          textShape(number, m_style.number,
                    inside ? inkOn(colourOf(oneOf(m_marks.fills, i), m_style)) : m_style.colours.text,
                    {middle - width / 2, top}));
    }
  }

  const BarMarks& m_marks;
  const BoxMap& m_map;
  const PlotStyle& m_style;
  bool m_clip;
  Primitives m_shapes;
};

}  // namespace

Primitives barShapes(const BarMarks& marks, const BoxMap& map, bool clip) {
  return BarShapes(marks, map, clip).make();
}

}  // namespace plastiscope
