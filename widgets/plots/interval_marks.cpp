#include "widgets/plots/interval_marks.h"

#include <algorithm>
#include <cmath>

namespace plastiscope {

namespace {

constexpr double kInner = 3;  // times as wide as the bar around it

QColor bandColour(QColor colour, const PlotStyle& style) {
  colour.setAlphaF(style.print && style.theme == Theme::Light ? 0.14F : 0.2F);
  return colour;
}

QString wordFor(std::int64_t count, const char* one, const char* many) {
  return numberLabel(static_cast<double>(count), 0) + " " + QLatin1String(count == 1 ? one : many);
}

// "96 to 270 heads"; "" where one of them is not known.
QString rangeText(const std::vector<std::int64_t>& counts, const char* one, const char* many) {
  const auto [low, high] = std::minmax_element(counts.begin(), counts.end());
  if (counts.empty() || *low <= 0) return {};
  const QString last = wordFor(*high, one, many);
  return *low == *high ? last : numberLabel(static_cast<double>(*low), 0) + " to " + last;
}

QString joined(const QString& heads, const QString& examples) {
  return heads + (heads.isEmpty() || examples.isEmpty() ? "" : ", ") + examples;
}

}  // namespace

void drawBand(QCPPainter& painter, const QCPAxisRect& rect, const std::vector<double>& x,
              const std::vector<double>& low, const std::vector<double>& high, const QColor& colour,
              const PlotStyle& style) {
  const QPolygonF inside{QRectF(rect.rect())};  // clipped by itself: SVG files have no clip
  painter.setPen(Qt::NoPen);
  painter.setBrush(bandColour(colour, style));
  QPolygonF upper, lower;
  const auto finish = [&] {
    std::reverse(lower.begin(), lower.end());
    if (upper.size() > 1) painter.drawPolygon(QPolygonF(upper + lower).intersected(inside));
    upper.clear();
    lower.clear();
  };
  for (std::size_t i = 0; i < std::min(low.size(), x.size()); ++i) {
    if (!std::isfinite(low[i]) || !std::isfinite(high[i])) {
      finish();
      continue;
    }
    upper.append(pointAt(rect, x[i], high[i]));
    lower.append(pointAt(rect, x[i], low[i]));
  }
  finish();
}

double drawWhisker(QCPPainter& painter, const QCPAxisRect& rect, double x, HeadInterval interval,
                   const QColor& colour, const PlotStyle& style) {
  const double top = pointAt(rect, 0, interval.high).y(), bottom = pointAt(rect, 0, interval.low).y();
  const double cap = style.u(style.print ? 1.6 : 3);
  for (const QPen& line : {casedPen(style, pen(colour, style.thinWidth)), pen(colour, style.thinWidth)}) {
    painter.setPen(line);
    drawLineWithin(painter, rect.rect(), {x, top, x, bottom});
    for (const double end : {top, bottom}) drawLineWithin(painter, rect.rect(), {x - cap, end, x + cap, end});
  }
  return top;
}

void drawInnerInterval(QCPPainter& painter, const QCPAxisRect& rect, double x, HeadInterval interval,
                       const QColor& colour, const PlotStyle& style) {
  QPen line = pen(colour, kInner * style.lineWidth);
  line.setCapStyle(Qt::FlatCap);
  painter.setPen(line);
  drawLineWithin(painter, rect.rect(),
                 {x, pointAt(rect, 0, interval.low).y(), x, pointAt(rect, 0, interval.high).y()});
}

QString intervalText(IntervalOver over, std::int64_t examples) {
  const QString start = QStringLiteral("95\u2009% over ");
  if (over == IntervalOver::Heads) return start + QStringLiteral("heads");
  return start + (examples > 0 ? wordFor(examples, "example", "examples") : QStringLiteral("examples"));
}

LegendEntry bandEntry(const QString& text, const QColor& colour, const PlotStyle& style) {
  return boxEntry(text, bandColour(colour, style), Qt::NoPen);
}

LegendEntry whiskerEntry(const QString& text, const PlotStyle& style) {
  return {text, 0.7, [style](QCPPainter& painter, const QRectF& box) {
            painter.setPen(pen(style.colours.text, style.thinWidth));
            const double x = box.center().x(), cap = style.u(style.print ? 1.6 : 3);
            painter.drawLine(QLineF(x, box.top(), x, box.bottom()));
            for (const double y : {box.top(), box.bottom()}) painter.drawLine(QLineF(x - cap, y, x + cap, y));
          }};
}

LegendEntry innerEntry(const QString& text, const PlotStyle& style) {
  return {text, 0.5, [style](QCPPainter& painter, const QRectF& box) {
            QPen line = pen(style.colours.text, kInner * style.lineWidth);
            line.setCapStyle(Qt::FlatCap);
            painter.setPen(line);
            painter.drawLine(QLineF(box.center().x(), box.top(), box.center().x(), box.bottom()));
          }};
}

QString countText(std::int64_t heads, std::int64_t examples) {
  return countText(std::vector{heads}, std::vector{examples});
}

QString countText(const std::vector<std::int64_t>& heads, const std::vector<std::int64_t>& examples) {
  return joined(rangeText(heads, "head", "heads"), rangeText(examples, "example", "examples"));
}

}  // namespace plastiscope
