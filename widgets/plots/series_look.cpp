#include "widgets/plots/series_look.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/compare/input_names.h"

namespace plastiscope {

namespace {

QColor mixed(const QColor& from, const QColor& to, double share) {
  const auto part = [share](int a, int b) { return static_cast<int>(std::lround(a + share * (b - a))); };
  return {part(from.red(), to.red()), part(from.green(), to.green()), part(from.blue(), to.blue())};
}

// The n-th of so many models of a family: its colour and a darker one, or from dark to pale for a longer row.
QColor shade(const QColor& colour, std::size_t n, std::size_t count, const PlotStyle& style) {
  if (count < 2 || (count == 2 && n == 0)) return colour;
  if (count == 2) return mixed(colour, style.colours.text, 0.45);
  const double place = static_cast<double>(n) / static_cast<double>(count - 1) - 0.5;
  return place < 0 ? mixed(colour, style.colours.text, -place)
                   : mixed(colour, style.colours.view, 0.9 * place);
}

QPen dashed(const QColor& colour, double width, std::size_t n) {
  static const QList<QList<qreal>> kDashes = {
      {}, {4.5, 1.8}, {1.3, 1.5}, {6, 1.8, 1.3, 1.8}, {8, 2.6}, {3, 1.4, 1, 1.4, 1, 1.4}};
  QPen line = pen(colour, width);
  const auto& dash = kDashes[static_cast<qsizetype>(n) % kDashes.size()];
  if (!dash.isEmpty()) line.setDashPattern(dash);
  return line;
}

}  // namespace

QStringList shownNames(const std::vector<ComparedName>& models) {
  std::vector<std::string> names;
  for (const ComparedName& model : models) names.push_back(model.name);
  QStringList shown;
  for (const std::string& name : withoutOwners(names)) shown.append(QString::fromStdString(name));
  return shown;
}

SeriesLook familyLook(const std::string& family, const PlotStyle& style) {
  const FamilyMark mark = familyMark(QString::fromStdString(family));
  const QColor colour = style.theme == Theme::Dark ? mark.dark : mark.light;
  return {colour, mark.marker, mark.marker == Marker::Ring, pen(colour, style.lineWidth)};
}

std::vector<LegendEntry> familyLegend(const std::vector<ComparedName>& models, const PlotStyle& style) {
  std::vector<LegendEntry> legend;
  for (const ComparedName& model : models) {
    const QString title = familyTitle(model.family);
    const bool seen = std::any_of(legend.begin(), legend.end(),
                                  [&title](const LegendEntry& entry) { return entry.text == title; });
    if (seen) continue;
    legend.push_back(barEntry({}, familyLook(model.family, style), style));
    legend.back().text = title;
  }
  return legend;
}

std::vector<SeriesLook> seriesLooks(const std::vector<ComparedName>& models, const PlotStyle& style) {
  const auto markOf = [](const ComparedName& model) {
    return familyMark(QString::fromStdString(model.family));
  };
  const auto baseOf = [&](const FamilyMark& mark) {
    return style.theme == Theme::Dark ? mark.dark : mark.light;
  };
  std::map<QRgb, std::size_t> count, seen;  // models of a colour: all, so far
  for (const ComparedName& model : models) ++count[baseOf(markOf(model)).rgb()];
  std::vector<SeriesLook> looks;
  for (const ComparedName& model : models) {
    const FamilyMark mark = markOf(model);
    const QColor base = baseOf(mark);
    const std::size_t n = seen[base.rgb()]++;
    SeriesLook look;
    look.colour = shade(base, n, count[base.rgb()], style);
    look.marker = mark.marker;
    look.hollow = mark.marker == Marker::Ring || n % 2 == 1;
    look.line = dashed(look.colour, style.lineWidth, looks.size());
    looks.push_back(std::move(look));
  }
  return looks;
}

void drawMarker(QPainter& painter, const SeriesLook& look, const QPointF& at, double size,
                const PlotStyle& style) {
  const QRectF box(at - QPointF(size / 2, size / 2), QSizeF(size, size));
  painter.setPen(look.hollow ? pen(look.colour, 0.8 * style.lineWidth)
                             : pen(style.colours.view, style.u(style.print ? 0.2 : 0.6)));
  painter.setBrush(look.hollow ? style.colours.view : look.colour);
  painter.drawPath(markerPath(look.marker, box));
}

LegendEntry seriesEntry(const QString& name, const SeriesLook& look, const PlotStyle& style) {
  return {name.toHtmlEscaped(), 2.4, [look, style](QCPPainter& painter, const QRectF& box) {
            painter.setPen(look.line);
            painter.drawLine(QLineF(box.left(), box.center().y(), box.right(), box.center().y()));
            drawMarker(painter, look, box.center(), 1.45 * style.pointSize, style);
          }};
}

LegendEntry barEntry(const QString& name, const SeriesLook& look, const PlotStyle& style) {
  return {name.toHtmlEscaped(), 0.9, [look, style](QCPPainter& painter, const QRectF& box) {
            drawMarker(painter, look, box.center(), 1.6 * style.pointSize, style);
          }};
}

void drawSeries(QCPPainter& painter, const QCPAxisRect& rect, const std::vector<double>& x,
                const std::vector<double>& y, const SeriesLook& look, const PlotStyle& style, double apart) {
  QPolygonF piece, markers;
  const auto flush = [&] {
    painter.setPen(look.line);
    painter.setBrush(Qt::NoBrush);
    drawPolylineWithin(painter, rect.rect(), piece);
    piece.clear();
  };
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!std::isfinite(y[i])) {
      flush();
      continue;
    }
    const QPointF at(rect.axis(QCPAxis::atBottom)->coordToPixel(x[i]),
                     rect.axis(QCPAxis::atLeft)->coordToPixel(y[i]));
    piece.append(at);
    if (markers.isEmpty() || at.x() - markers.back().x() >= apart) markers.append(at);
  }
  flush();
  for (const QPointF& at : markers) {
    if (QRectF(rect.rect()).adjusted(-1, -1, 1, 1).contains(at))
      drawMarker(painter, look, at, 1.45 * style.pointSize, style);
  }
}

}  // namespace plastiscope
