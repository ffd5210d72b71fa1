#include "widgets/plots/compare_figure.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>
#include <limits>

#include "widgets/plots/panel.h"
#include "widgets/plots/profile_parts.h"
#include "widgets/plots/published.h"
#include "widgets/plots/series_look.h"

namespace plastiscope {

namespace {

using Looks = std::vector<SeriesLook>;

std::vector<ComparedName> namesOf(const ComparedProfiles& data) {
  std::vector<ComparedName> names;
  for (const ComparedProfile& profile : data.models) names.push_back(profile.model);
  return names;
}

Looks looksOf(const ComparedProfiles& data, const PlotStyle& style) {
  return seriesLooks(namesOf(data), style);
}

std::vector<LegendEntry> legendOf(const ComparedProfiles& data, const Looks& looks, const PlotStyle& style,
                                  const CompareOptions& options) {
  std::vector<LegendEntry> legend;
  const bool bars = options.parts == CompareParts::Quintiles;
  bool published = false;
  const QStringList names = shownNames(namesOf(data));
  for (std::size_t m = 0; m < data.models.size(); ++m) {
    const auto& head = data.models[m].head;
    const QString& name = names[static_cast<qsizetype>(m)];
    legend.push_back((bars ? barEntry : seriesEntry)(
        head ? name + " " + QString::fromStdString(head->text()) : name, looks[m], style));
    const ComparedProfile& model = data.models[m];
    published = published || !(bars ? model.publishedQuintiles : model.published).empty();
  }
  if (data.showsHeads() && !bars) {
    QColor pale = style.colours.text;
    pale.setAlphaF(0.45F);
    legend.push_back(lineEntry(QStringLiteral("mean over heads"), pen(pale, 0.75 * style.lineWidth)));
  }
  if (published) legend.push_back((bars ? publishedLevelOfAllEntry : publishedOfAllEntry)(style));
  return legend;
}

// What the profiles reach, with room around it; at least a fifth of the scale, inside 0 to 1.
std::pair<double, double> fittingRange(const ComparedProfiles& data) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const ComparedProfile& profile : data.models) {
    for (const auto* values : {&profile.mean, &profile.headAp, &profile.published.y}) {
      for (const double value : *values) {
        if (!std::isfinite(value)) continue;
        low = std::min(low, value);
        high = std::max(high, value);
      }
    }
  }
  if (low > high) return {0, 1};
  const double room = std::max(0.06 * (high - low), (0.2 - (high - low)) / 2);
  return {std::max(-0.005, low - room), std::min(1.005, high + room)};
}

void drawProfiles(QCPPainter& painter, const ComparedProfiles& data, const QCPAxisRect& rect,
                  const PlotStyle& style, PositionAxis axis) {
  const Looks looks = looksOf(data, style);
  const double apart = style.u(style.print ? 15 : 26);
  for (std::size_t m = 0; m < data.models.size(); ++m) {
    const ComparedProfile& profile = data.models[m];
    const double scale = axis == PositionAxis::Share ? 1 / static_cast<double>(profile.window) : 1;
    drawPublished(
        painter, rect, profile.published,
        [&](double share) { return share * scale * static_cast<double>(profile.window); },
        publishedStyle(looks[m].colour, style));
    std::vector<double> x;
    for (const double tokens : profile.tokens) x.push_back(tokens * scale);
    if (!profile.head) {
      drawSeries(painter, rect, x, profile.mean, looks[m], style, apart);
      continue;
    }
    SeriesLook pale = looks[m];
    pale.colour.setAlphaF(0.45F);
    pale.line = pen(pale.colour, 0.75 * style.lineWidth);
    drawSeries(painter, rect, x, profile.mean, pale, style, std::numeric_limits<double>::infinity());
    drawSeries(painter, rect, x, profile.headAp, looks[m], style, apart);
  }
}

QCPAxisRect& addProfiles(const FigurePlace& place, int row, const ComparedProfiles& data,
                         const PlotStyle& style, const CompareOptions& options) {
  const bool share = options.axis == PositionAxis::Share;
  const auto longest = static_cast<double>(data.longestWindow());
  QCPAxisRect& rect = addPanel(place, row, 0, style,
                               {Frame::Box,
                                true,
                                true,
                                share ? QStringLiteral("query position (share of the window)|query position")
                                      : QStringLiteral("query position (tokens)"),
                                QStringLiteral("plasticity AP|AP"),
                                {},
                                share ? QStringLiteral("100\u2009%") : TokenTicker::text(longest, longest)});
  QCPAxis &x = *rect.axis(QCPAxis::atBottom), &y = *rect.axis(QCPAxis::atLeft);
  if (share)
    x.setTicker(QSharedPointer<NumberTicker>::create(x, 1.0, NumberTicker::Kind::Percent));
  else
    x.setTicker(QSharedPointer<TokenTicker>::create(x));
  y.setTicker(QSharedPointer<NumberTicker>::create(y));
  x.setRange(0, share ? 1 : longest);
  const auto range = options.range.value_or(fittingRange(data));
  y.setRange(range.first, range.second);
  new PaintedLayer(rect, "main", Clip::AxisRect, [data, &rect, style, options](QCPPainter& painter) {
    drawProfiles(painter, data, rect, style, options.axis);
  });
  return rect;
}

// Numbers above bars of this width stand upright where they fit and are turned where they do not.
struct NumberRoom {
  double height = 0, width = 0;  // of the type, of the longest number
  bool turned = false;
  NumberRoom(double bar, const PlotStyle& style) {
    const QFontMetricsF metrics(style.number);
    height = metrics.height();
    width = metrics.horizontalAdvance(numberLabel(0.888, 3));
    turned = width > bar * 1.15;
  }
  double reach() const { return turned ? width : height; }
  bool fits(double bar) const { return !turned || 0.8 * height <= bar * 1.25; }
};

// The number above a bar whose top is at `top`.
void drawNumber(QCPPainter& painter, const QRectF& bar, double top, double value, const NumberRoom& room,
                const PlotStyle& style) {
  const QString text = numberLabel(value, 3);
  painter.setPen(style.colours.text);
  painter.setFont(style.number);
  if (!room.turned)
    return painter.drawText(
        QRectF(bar.center().x() - room.width, top - room.height, 2 * room.width, room.height),
        Qt::AlignHCenter | Qt::AlignBottom | Qt::TextDontClip, text);
  painter.save();
  painter.translate(bar.center().x(), top - style.u(style.print ? 1.2 : 3));
  painter.rotate(-90);
  painter.drawText(QRectF(0, -room.height / 2, room.width, room.height),
                   Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, text);
  painter.restore();
}

// One bar with the marker at its foot.
void drawBar(QCPPainter& painter, const QRectF& bar, const SeriesLook& look, const PlotStyle& style) {
  painter.setPen(Qt::NoPen);
  QColor fill = look.colour;
  fill.setAlphaF(0.88F);
  painter.setBrush(fill);
  painter.drawRect(bar);
  const double size = std::min(1.4 * style.pointSize, 0.72 * bar.width());
  if (bar.height() <= 2.2 * size) return;
  painter.setPen(Qt::NoPen);
  painter.setBrush(style.colours.view);
  const QPointF at(bar.center().x(), bar.bottom() - 1.1 * size);
  painter.drawPath(markerPath(look.marker, QRectF(at - QPointF(size / 2, size / 2), QSizeF(size, size))));
}

// The published value of a fifth (from 0), missing where there is none.
double publishedAt(const ComparedProfile& profile, int fifth) {
  const GhostCurve& curve = profile.publishedQuintiles;
  for (std::size_t i = 0; i < curve.x.size(); ++i) {
    if (curve.x[i] == fifth + 1) return curve.y[i];
  }
  return std::numeric_limits<double>::quiet_NaN();
}

// A bar, and where its number stands: above a published value that it would cross.
struct PlacedBar {
  QRectF bar;
  double value, level, top;
  std::size_t model;
};

std::vector<PlacedBar> placeBars(const ComparedProfiles& data, const QCPAxisRect& rect,
                                 const PlotStyle& style) {
  const QCPAxis &x = *rect.axis(QCPAxis::atBottom), &y = *rect.axis(QCPAxis::atLeft);
  std::vector<PlacedBar> bars;
  for (int k = 0; k < 5; ++k) {
    for (std::size_t m = 0; m < data.models.size(); ++m) {
      const QuintileBar place = quintileBar(k, m, data.models.size());
      const double value = data.models[m].quintiles[static_cast<std::size_t>(k)];
      const double published = publishedAt(data.models[m], k);
      const double level = std::isfinite(published) ? y.coordToPixel(published) : published;
      const double foot = y.coordToPixel(0), top = std::isfinite(value) ? y.coordToPixel(value) : foot;
      const QRectF bar(QPointF(x.coordToPixel(place.left), top), QPointF(x.coordToPixel(place.right), foot));
      const double reach = NumberRoom(bar.width(), style).reach() + style.u(4);
      const bool crossed = level < top && top - level < reach;
      bars.push_back({bar, value, level, crossed ? level : top, m});
    }
  }
  return bars;
}

void drawQuintiles(QCPPainter& painter, const ComparedProfiles& data, const QCPAxisRect& rect,
                   const PlotStyle& style) {
  const Looks looks = looksOf(data, style);
  const std::vector<PlacedBar> bars = placeBars(data, rect, style);
  const NumberRoom room(bars.front().bar.width(), style);
  const double above = rect.top() - style.u(4);
  // All numbers or none: some of them would look like a choice.
  const bool numbered = std::all_of(bars.begin(), bars.end(), [&](const PlacedBar& bar) {
    return room.fits(bar.bar.width()) && bar.top - room.reach() >= above;
  });
  for (const PlacedBar& bar : bars) {
    if (std::isfinite(bar.value)) {
      drawBar(painter, bar.bar, looks[bar.model], style);
      if (numbered) drawNumber(painter, bar.bar, bar.top, bar.value, room, style);
    }
    if (std::isfinite(bar.level))
      drawPublishedLevel(painter, bar.bar.left(), bar.bar.right(), bar.level, style);
  }
}

QCPAxisRect& addComparedQuintiles(const FigurePlace& place, int row, const ComparedProfiles& data,
                                  const PlotStyle& style) {
  QCPAxisRect& rect = addPanel(place, row, 0, style,
                               {style.print ? Frame::LeftBottom : Frame::Box,
                                false,
                                true,
                                QStringLiteral("query position, fifth of the window|fifth of the window"),
                                QStringLiteral("mean AP"),
                                {},
                                {}});
  QCPAxis &x = *rect.axis(QCPAxis::atBottom), &y = *rect.axis(QCPAxis::atLeft);
  setUpFifths(x);
  y.setTicker(QSharedPointer<NumberTicker>::create(y));
  double highest = 0;
  for (const ComparedProfile& profile : data.models) {
    for (int k = 0; k < 5; ++k) {
      for (const double value : {profile.quintiles[static_cast<std::size_t>(k)], publishedAt(profile, k)})
        highest = std::isfinite(value) ? std::max(highest, value) : highest;
    }
  }
  y.setRange(0, highest > 0 ? highest * 1.45 : 1);  // room for turned numbers
  new PaintedLayer(rect, "main", Clip::None,
                   [data, &rect, style](QCPPainter& painter) { drawQuintiles(painter, data, rect, style); });
  return rect;
}

}  // namespace

QuintileBar quintileBar(int fifth, std::size_t model, std::size_t models) {
  const double width = 0.84 / static_cast<double>(models);
  const double left = fifth - 0.42 + static_cast<double>(model) * width;
  return {left + 0.05 * width, left + 0.95 * width};
}

void buildCompare(const FigurePlace& place, const ComparedProfiles& data, const PlotStyle& style,
                  const CompareOptions& options) {
  place.clear(style);
  int row = 0;
  if (options.legend)
    addWrappedLegend(place, row++, 0, style, legendOf(data, looksOf(data, style), style, options));
  std::vector<QCPAxisRect*> rects;
  if (options.parts != CompareParts::Quintiles)
    rects.push_back(&addProfiles(place, row++, data, style, options));
  if (options.parts != CompareParts::Profiles)
    rects.push_back(&addComparedQuintiles(place, row++, data, style));
  if (rects.size() < 2) return;
  auto* group = new QCPMarginGroup(&place.plot());
  for (QCPAxisRect* rect : rects) rect->setMarginGroup(QCP::msLeft | QCP::msRight, group);
  place.grid().setRowStretchFactor(row - 2, 1.25);
  place.grid().setRowStretchFactor(row - 1, 1);
}

}  // namespace plastiscope
