#include "widgets/plots/compare_figure.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>
#include <limits>

#include "widgets/plots/interval_marks.h"
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

bool hasBands(const ComparedProfiles& data) {
  return std::any_of(data.models.begin(), data.models.end(), [](const ComparedProfile& model) {
    return std::any_of(model.low.begin(), model.low.end(), [](double low) { return std::isfinite(low); });
  });
}

bool hasWhiskers(const ComparedProfiles& data) {
  return std::any_of(data.models.begin(), data.models.end(), [](const ComparedProfile& model) {
    const Fifths& low = model.quintileIntervals.low;
    return std::any_of(low.begin(), low.end(), [](double end) { return std::isfinite(end); });
  });
}

// What the legend adds to "published": the windows of those models where they are other ones. Nothing
// without published numbers.
std::optional<QString> publishedText(const ComparedProfiles& data, bool bars) {
  std::optional<QString> text;
  for (const ComparedProfile& model : data.models) {
    const GhostCurve& curve = bars ? model.publishedQuintiles : model.published;
    if (curve.empty()) continue;
    const QString window = otherWindowText(curve.window, model.window);
    if (!text)
      text = window;
    else if (*text != window)
      text = QStringLiteral(", windows of their own");
  }
  return text;
}

std::vector<LegendEntry> legendOf(const ComparedProfiles& data, const Looks& looks, const PlotStyle& style,
                                  const CompareOptions& options) {
  std::vector<LegendEntry> legend;
  const bool bars = options.parts == CompareParts::Quintiles;
  const QStringList names = shownNames(namesOf(data));
  for (std::size_t m = 0; m < data.models.size(); ++m) {
    const auto& head = data.models[m].head;
    const QString& name = names[static_cast<qsizetype>(m)];
    legend.push_back((bars ? barEntry : seriesEntry)(
        head ? name + " " + QString::fromStdString(head->text()) : name, looks[m], style));
    const ComparedProfile& model = data.models[m];
    const QString counts = countText(head ? 0 : model.heads, model.examples);
    if (!counts.isEmpty()) legend.back().detail = " (" + counts + ")";
  }
  if (data.showsHeads() && !bars) {
    QColor pale = style.colours.text;
    pale.setAlphaF(0.45F);
    legend.push_back(lineEntry(QStringLiteral("mean over heads"), pen(pale, 0.75 * style.lineWidth)));
  }
  if (options.intervals && !bars && hasBands(data))
    legend.push_back(bandEntry(intervalText(data.profilesOver), style.colours.text, style));
  if (options.intervals && options.parts != CompareParts::Profiles && hasWhiskers(data))
    legend.push_back(whiskerEntry(intervalText(data.quintilesOver), style));
  if (const auto published = publishedText(data, bars))
    legend.push_back((bars ? publishedLevelOfAllEntry : publishedOfAllEntry)(style, *published));
  return legend;
}

// What the profiles reach, with room around it; at least a fifth of the scale, inside 0 to 1.
std::pair<double, double> fittingRange(const ComparedProfiles& data, bool intervals) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  const std::vector<double> none;
  for (const ComparedProfile& profile : data.models) {
    for (const auto* values : {&profile.mean, &profile.headAp, &profile.published.y,
                               intervals ? &profile.low : &none, intervals ? &profile.high : &none}) {
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
                  const PlotStyle& style, const CompareOptions& options) {
  const Looks looks = looksOf(data, style);
  const bool shares = options.axis == PositionAxis::Share;
  const auto placesOf = [&](const ComparedProfile& profile) {
    std::vector<double> x;
    for (std::size_t bin = 0; bin < profile.tokens.size(); ++bin)
      x.push_back(shares ? profile.share(bin) : profile.tokens[bin]);
    return x;
  };
  for (std::size_t m = 0; options.intervals && m < data.models.size(); ++m) {
    const ComparedProfile& profile = data.models[m];
    drawBand(painter, rect, placesOf(profile), profile.low, profile.high, looks[m].colour, style);
  }
  const double apart = style.u(style.print ? 15 : 26);
  for (std::size_t m = 0; m < data.models.size(); ++m) {
    const ComparedProfile& profile = data.models[m];
    const std::int64_t window = profile.published.window > 0 ? profile.published.window : profile.window;
    const double whole = shares ? 1 : static_cast<double>(window);
    drawPublished(
        painter, rect, profile.published, [whole](double share) { return share * whole; },
        publishedStyle(looks[m].colour, style));
    const std::vector<double> x = placesOf(profile);
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
  const double end = share ? 1 : static_cast<double>(data.longestWindow());
  QCPAxisRect& rect = addPanel(place, row, 0, style,
                               {Frame::Box,
                                true,
                                true,
                                positionTitle(options.axis),
                                QStringLiteral("plasticity AP|AP"),
                                {},
                                lastPositionLabel(options.axis, end)});
  QCPAxis &x = *rect.axis(QCPAxis::atBottom), &y = *rect.axis(QCPAxis::atLeft);
  setUpPositions(x, options.axis, end, 1);
  y.setTicker(QSharedPointer<NumberTicker>::create(y));
  const auto range = options.range.value_or(fittingRange(data, options.intervals));
  y.setRange(range.first, range.second);
  new PaintedLayer(rect, "main", Clip::AxisRect, [data, &rect, style, options](QCPPainter& painter) {
    drawProfiles(painter, data, rect, style, options);
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
  HeadInterval interval;
};

HeadInterval intervalOf(const ComparedProfile& profile, int fifth) {
  const auto k = static_cast<std::size_t>(fifth);
  return {profile.quintileIntervals.low[k], profile.quintileIntervals.high[k]};
}

std::vector<PlacedBar> placeBars(const ComparedProfiles& data, const QCPAxisRect& rect,
                                 const PlotStyle& style, bool intervals) {
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
      const HeadInterval interval = intervals ? intervalOf(data.models[m], k) : HeadInterval();
      const double reached = interval.known() ? std::min(top, y.coordToPixel(interval.high)) : top;
      const bool crossed = level < reached && reached - level < reach;
      bars.push_back({bar, value, level, crossed ? level : reached, m, interval});
    }
  }
  return bars;
}

void drawQuintiles(QCPPainter& painter, const ComparedProfiles& data, const QCPAxisRect& rect,
                   const PlotStyle& style, bool intervals) {
  const Looks looks = looksOf(data, style);
  const std::vector<PlacedBar> bars = placeBars(data, rect, style, intervals);
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
    if (bar.interval.known())
      drawWhisker(painter, rect, bar.bar.center().x(), bar.interval, style.colours.text, style);
    if (std::isfinite(bar.level))
      drawPublishedLevel(painter, bar.bar.left(), bar.bar.right(), bar.level, style);
  }
}

QCPAxisRect& addComparedQuintiles(const FigurePlace& place, int row, const ComparedProfiles& data,
                                  const PlotStyle& style, bool intervals) {
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
      for (const double value : {profile.quintiles[static_cast<std::size_t>(k)], publishedAt(profile, k),
                                 intervals ? intervalOf(profile, k).high : 0})
        highest = std::isfinite(value) ? std::max(highest, value) : highest;
    }
  }
  y.setRange(0, highest > 0 ? highest * 1.45 : 1);  // room for turned numbers
  new PaintedLayer(rect, "main", Clip::None, [data, &rect, style, intervals](QCPPainter& painter) {
    drawQuintiles(painter, data, rect, style, intervals);
  });
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
    rects.push_back(&addComparedQuintiles(place, row++, data, style, options.intervals));
  if (rects.size() < 2) return;
  auto* group = new QCPMarginGroup(&place.plot());
  for (QCPAxisRect* rect : rects) rect->setMarginGroup(QCP::msLeft | QCP::msRight, group);
  place.grid().setRowStretchFactor(row - 2, 1.25);
  place.grid().setRowStretchFactor(row - 1, 1);
}

}  // namespace plastiscope
