#include "widgets/plots/components_figure.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "widgets/plots/panel.h"

namespace plastiscope {

namespace {

void drawBars(QCPPainter& painter, const std::vector<double>& values, const QCPAxisRect& rect,
              const PlotStyle& style) {
  painter.setFont(style.number);
  const double line = QFontMetricsF(style.number).height();
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i])) continue;
    const auto at = static_cast<double>(i);
    const QRectF bar(pointAt(rect, at - 0.36, values[i]), pointAt(rect, at + 0.36, 0));
    painter.setPen(Qt::NoPen);
    painter.setBrush(style.colours.bars);
    painter.drawRect(bar);
    const double percent = 100 * values[i];
    const QString text = numberLabel(percent, percent < 9.95 ? 1 : 0);
    const double room = std::fabs(pointAt(rect, 1, 0).x() - pointAt(rect, 0, 0).x());
    if (QFontMetricsF(style.number).horizontalAdvance(text) > 1.15 * room) continue;
    painter.setPen(style.colours.text);
    painter.drawText(QRectF(bar.center().x() - 3 * line, bar.top() - line - style.u(0.6), 6 * line, line),
                     Qt::AlignHCenter | Qt::AlignBottom | Qt::TextDontClip, text);
  }
}

// Stems from zero; queries are discs left of the middle, keys squares right of it.
void drawStems(QCPPainter& painter, const std::vector<double>& values, bool query, const QCPAxisRect& rect,
               const PlotStyle& style) {
  const QColor colour = query ? style.colours.query : style.colours.key;
  const double size = style.pointSize * 0.72;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i])) continue;
    const double at = static_cast<double>(i) + (query ? -0.14 : 0.14);
    const QPointF top = pointAt(rect, at, values[i]);
    painter.setPen(pen(colour, style.lineWidth));
    painter.drawLine(QLineF(pointAt(rect, at, 0), top));
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour);
    if (query)
      painter.drawEllipse(top, size, size);
    else
      painter.drawRect(QRectF(top.x() - 0.85 * size, top.y() - 0.85 * size, 1.7 * size, 1.7 * size));
  }
}

void drawLevels(QCPPainter& painter, const std::vector<double>& levels, const QCPAxisRect& rect,
                const PlotStyle& style) {
  painter.setPen(dashedPen(style.print ? QColor("#8a9095") : style.colours.muted, style.thinWidth));
  for (const double level : levels) {
    const double y = pointAt(rect, 0, level).y();
    painter.drawLine(QLineF(rect.left(), y, rect.right() + 1, y));
  }
}

void nameComponents(QCPAxis& axis, std::size_t count, bool labels) {
  QVector<double> places;
  QStringList names;
  for (std::size_t i = 0; i < count; ++i) {
    places.append(static_cast<double>(i));
    names.append(QStringLiteral("PC%1").arg(i));
  }
  axis.setTicker(QSharedPointer<NameTicker>::create(axis, places, names));
  axis.setRange(-0.6, static_cast<double>(count) - 0.4);
  axis.setTickLabels(labels);
}

LegendEntry squareEntry(const QString& text, const QColor& colour, double size) {
  return {text, 0.8, [colour, size](QCPPainter& painter, const QRectF& box) {
            painter.setPen(Qt::NoPen);
            painter.setBrush(colour);
            painter.drawRect(QRectF(box.center().x() - size / 2, box.center().y() - size / 2, size, size));
          }};
}

LegendEntry textEntry(const QString& text) {
  return {text, 0, [](QCPPainter&, const QRectF&) {}};
}

QString subject(const std::string& scope, std::int64_t heads) {
  const QString name = QString::fromStdString(scope);
  return heads <= 1 ? name
                    : QStringLiteral("mean of %1 heads%2")
                          .arg(numberLabel(static_cast<double>(heads), 0))
                          .arg(scope == "all heads" ? QString() : " of " + name);
}

}  // namespace

void buildComponents(const FigurePlace& place, const ComponentsData& data, const PlotStyle& style) {
  place.clear(style);
  QCPAxisRect& shares = addPanel(place, 1, 0, style,
                                 {style.print ? Frame::LeftBottom : Frame::Box,
                                  false,
                                  true,
                                  "",
                                  QStringLiteral("explained variance|variance"),
                                  {}});
  QCPAxisRect& signal = addPanel(place, 2, 0, style,
                                 {Frame::Box,
                                  false,
                                  true,
                                  QStringLiteral("principal component"),
                                  QStringLiteral("<i>r</i> with position|<i>r</i>"),
                                  {}});
  nameComponents(*shares.axis(QCPAxis::atBottom), data.explainedVariance.size(), false);
  nameComponents(*signal.axis(QCPAxis::atBottom), data.explainedVariance.size(), true);
  QCPAxis &share = *shares.axis(QCPAxis::atLeft), &r = *signal.axis(QCPAxis::atLeft);
  double largest = 0;
  for (const double value : data.explainedVariance)
    largest = std::isfinite(value) ? std::max(largest, value) : largest;
  share.setRange(0, std::max(0.02, largest * 1.22));
  share.setTicker(QSharedPointer<NumberTicker>::create(share, 1.0, NumberTicker::Kind::Percent));
  r.setRange(-1.05, 1.05);
  r.setTicker(QSharedPointer<NumberTicker>::create(r));
  new PaintedLayer(shares, "main", Clip::AxisRect, [data, &shares, style](QCPPainter& p) {
    drawBars(p, data.explainedVariance, shares, style);
  });
  new PaintedLayer(signal, "main", Clip::AxisRect, [data, &signal, style](QCPPainter& painter) {
    drawLevels(painter, {data.low, data.high, -data.low, -data.high}, signal, style);
    painter.setPen(pen(style.print ? style.colours.text : style.colours.muted, style.axisWidth));
    const double zero = pointAt(signal, 0, 0).y();
    painter.drawLine(QLineF(signal.left(), zero, signal.right() + 1, zero));
    drawStems(painter, data.rQuery, true, signal, style);
    drawStems(painter, data.rKey, false, signal, style);
  });
  auto* group = new QCPMarginGroup(&place.plot());
  for (QCPAxisRect* rect : {&shares, &signal}) rect->setMarginGroup(QCP::msLeft | QCP::msRight, group);
  place.grid().setRowStretchFactor(2, 1.25);
  addLegend(place, 0, 0, style, shares,
            {pointEntry(QStringLiteral("queries"), style.colours.query, Qt::NoPen, style.pointSize * 1.3),
             squareEntry(QStringLiteral("keys"), style.colours.key, style.pointSize * 1.15),
             textEntry(subject(data.scopeText, data.heads))});
}

void buildWeights(const FigurePlace& place, const ComponentWeightsData& data, const PlotStyle& style) {
  place.clear(style);
  QCPAxisRect& rect = addPanel(place, 1, 0, style,
                               {style.print ? Frame::LeftBottom : Frame::Box,
                                false,
                                true,
                                QStringLiteral("query dimension"),
                                QStringLiteral("share of the linear drift|share of drift"),
                                {}});
  QCPAxis &x = *rect.axis(QCPAxis::atBottom), &y = *rect.axis(QCPAxis::atLeft);
  double largest = 0;
  for (const double value : data.weight) largest = std::isfinite(value) ? std::max(largest, value) : largest;
  x.setRange(-0.8, static_cast<double>(data.weight.size()) - 0.2);
  y.setRange(0, largest > 0 ? largest * 1.08 : 1);
  x.setTicker(QSharedPointer<TokenTicker>::create(x));
  y.setTicker(QSharedPointer<NumberTicker>::create(y, 1.0, NumberTicker::Kind::Percent));
  new PaintedLayer(rect, "main", Clip::AxisRect, [data, &rect, style](QCPPainter& painter) {
    painter.setPen(Qt::NoPen);
    for (std::size_t i = 0; i < data.weight.size(); ++i) {
      if (!std::isfinite(data.weight[i])) continue;
      const bool strongest = data.strongestPair >= 0 && data.pairOf[i] == data.strongestPair;
      painter.setBrush(strongest ? style.colours.selection : style.colours.query);
      const auto at = static_cast<double>(i);
      painter.drawRect(QRectF(pointAt(rect, at - 0.4, data.weight[i]), pointAt(rect, at + 0.4, 0)));
    }
  });
  std::vector<LegendEntry> legend;
  if (data.strongestPair >= 0) {
    legend.push_back(squareEntry(QStringLiteral("strongest RoPE pair, %1: %2\u2009%")
                                     .arg(data.strongestPair)
                                     .arg(numberLabel(100 * data.strongestShare, 1)),
                                 style.colours.selection, style.pointSize * 1.3));
  }
  legend.push_back(textEntry(subject(data.scopeText, data.heads)));
  addLegend(place, 0, 0, style, rect, legend);
}

}  // namespace plastiscope
