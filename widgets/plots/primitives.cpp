#include "widgets/plots/primitives.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "widgets/state/icons.h"

namespace plastiscope {

namespace {

constexpr double kScriptSize = 0.7, kSmallestTitle = 0.55;  // times the size of the font

QFont scaled(QFont font, double factor) {
  font.setPixelSize(std::max(1, static_cast<int>(std::lround(font.pixelSize() * factor))));
  return font;
}

// State of the tags at one place of the markup.
struct TagState {
  int script = 0;  // -1 sub, +1 sup
  bool italic = false, bold = false;
};

// Reads a known tag at `text[at]`; returns its length, 0 when there is none.
qsizetype readTag(const QString& text, qsizetype at, TagState& state) {
  struct Tag {
    const char* name;
    void (*apply)(TagState&);
  };
  static constexpr Tag kTags[] = {
      {"<sub>", [](TagState& s) { s.script = -1; }}, {"</sub>", [](TagState& s) { s.script = 0; }},
      {"<sup>", [](TagState& s) { s.script = 1; }},  {"</sup>", [](TagState& s) { s.script = 0; }},
      {"<i>", [](TagState& s) { s.italic = true; }}, {"</i>", [](TagState& s) { s.italic = false; }},
      {"<b>", [](TagState& s) { s.bold = true; }},   {"</b>", [](TagState& s) { s.bold = false; }},
  };
  for (const Tag& tag : kTags) {
    const QLatin1String name(tag.name);
    if (QStringView(text).mid(at, name.size()) != name) continue;
    tag.apply(state);
    return name.size();
  }
  return 0;
}

QString unescaped(QString text) {
  return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
}

}  // namespace

RichText::RichText(const QString& markup, const QFont& font) {
  const QFontMetricsF metrics(font);
  m_ascent = metrics.ascent();
  m_height = metrics.height();
  TagState state;
  QString pending;
  const auto flush = [&] {
    if (pending.isEmpty()) return;
    Run run{unescaped(pending), state.script == 0 ? font : scaled(font, kScriptSize), m_width, 0};
    run.font.setItalic(font.italic() || state.italic);
    run.font.setBold(font.bold() || state.bold);
    if (state.script != 0) run.rise = state.script > 0 ? 0.38 * m_ascent : -0.16 * m_ascent;
    m_width += QFontMetricsF(run.font).horizontalAdvance(run.text);
    m_runs.push_back(run);
    pending.clear();
  };
  for (qsizetype at = 0; at < markup.size();) {
    TagState next = state;
    const qsizetype length = markup[at] == '<' ? readTag(markup, at, next) : 0;
    if (length == 0) {
      pending += markup[at++];
      continue;
    }
    flush();
    state = next;
    at += length;
  }
  flush();
}

void RichText::draw(QPainter& painter, QPointF topLeft) const {
  const QFont old = painter.font();
  for (const Run& run : m_runs) {
    painter.setFont(run.font);
    painter.drawText(QPointF(topLeft.x() + run.x, topLeft.y() + m_ascent - run.rise), run.text);
  }
  painter.setFont(old);
}

QString RichText::fittedMarkup(const QString& markup, const QFont& font, double width) {
  const auto fits = [&](const QString& part) { return RichText(part, font).size().width() <= width; };
  const QStringList alternatives = markup.split('|');
  for (const QString& alternative : alternatives) {
    if (fits(alternative)) return alternative;
  }
  QString part = alternatives.last();
  for (qsizetype cut = 0; !fits(part); part.truncate(cut)) {
    cut = part.lastIndexOf(QStringLiteral(" \u00b7 "));
    if (cut <= 0) break;
  }
  return part;
}

RichText RichText::fitted(const QString& markup, const QFont& font, double width) {
  const QString part = fittedMarkup(markup, font, width);
  RichText text(part, font);
  if (text.size().width() <= width) return text;
  return RichText(part, scaled(font, std::max(kSmallestTitle, width / std::max(1.0, text.size().width()))));
}

Primitive pathShape(QPolygonF points, const QPen& pen) {
  Primitive shape;
  shape.points = std::move(points);
  shape.pen = pen;
  return shape;
}

Primitive areaShape(QPolygonF points, const QColor& fill, const QPen& pen) {
  Primitive shape = pathShape(std::move(points), pen);
  shape.closed = true;
  shape.fill = fill;
  return shape;
}

Primitive rectShape(const QRectF& rect, const QColor& fill, const QPen& pen) {
  return areaShape(QPolygonF({rect.topLeft(), rect.topRight(), rect.bottomRight(), rect.bottomLeft()}), fill,
                   pen);
}

Primitive discShape(QPointF middle, double size, const QColor& fill, const QPen& pen) {
  Primitive shape;
  shape.kind = Primitive::Kind::Marker;
  shape.at = middle;
  shape.size = size;
  shape.fill = fill;
  shape.pen = pen;
  return shape;
}

Primitive markerShape(const MarkerStyle& style, QPointF at, double size, const PlotStyle& of) {
  const QColor colour = colourOf(style.colour, of);
  Primitive shape = discShape(at, size, style.hollow ? of.colours.view : colour);
  shape.marker = style.shape;
  if (style.hollow || style.rim == Rim::Own)
    shape.pen = pen(colour, 0.8 * of.lineWidth);
  else if (style.rim == Rim::Ground)
    shape.pen = pen(of.colours.view, lengthOf({0.2, 0.6}, of));
  return shape;
}

Primitive pictureShape(const QImage& picture, const QRectF& area) {
  Primitive shape;
  shape.kind = Primitive::Kind::Picture;
  shape.picture = picture;
  shape.area = area;
  return shape;
}

Primitive textShape(const QString& rich, const QFont& font, const QColor& colour, QPointF topLeft,
                    double angle) {
  Primitive shape;
  shape.kind = Primitive::Kind::Text;
  shape.text = rich;
  shape.font = font;
  shape.pen = QPen(colour);
  shape.at = topLeft;
  shape.angle = angle;
  return shape;
}

Primitive centredText(const QString& rich, const QFont& font, const QColor& colour, QPointF middle) {
  const QSizeF size = RichText(rich, font).size();
  return textShape(rich, font, colour, middle - QPointF(size.width() / 2, size.height() / 2));
}

QColor inkOn(const QColor& fill) {
  return qGray(fill.rgb()) > 140 ? QColor("#101214") : QColor("#f4f5f6");
}

// Lines instead of a brush, which has the device's resolution.
void addHatch(Primitives& shapes, const QRectF& rect, double spacing, const QPen& pen) {
  // Lines x + y = k * spacing that cross the rect.
  const double first = std::ceil((rect.left() + rect.top()) / spacing) * spacing;
  for (double sum = first; sum <= rect.right() + rect.bottom(); sum += spacing) {
    const double x0 = std::max(rect.left(), sum - rect.bottom()),
                 x1 = std::min(rect.right(), sum - rect.top());
    if (x1 > x0) shapes.push_back(pathShape({{x0, sum - x0}, {x1, sum - x1}}, pen));
  }
}

Primitives symbolShapes(const LegendSymbol& symbol, const QRectF& place, const PlotStyle& style) {
  Primitives shapes;
  const QRectF box = place.adjusted(0, 0.1 * place.height(), 0, -0.1 * place.height());
  const QPointF middle = place.center();
  if (symbol.ramp != Ink::None) {
    // Each step extends to the right end, so that no gaps show between steps.
    constexpr int kSteps = 16;
    for (int i = 0; i < kSteps; ++i) {
      QRectF step = box;
      step.setLeft(box.left() + box.width() * i / kSteps);
      const auto& ramp = symbol.ramp == Ink::Query ? style.colours.queryRamp : style.colours.keyRamp;
      shapes.push_back(rectShape(step, rampColour(ramp, i / (kSteps - 1.0))));
    }
  }
  if (symbol.box || symbol.rim)
    shapes.push_back(rectShape(box, symbol.box ? colourOf(*symbol.box, style) : QColor(),
                               symbol.rim ? penOf(*symbol.rim, style) : QPen(Qt::NoPen)));
  if (symbol.hatch != Ink::None)
    addHatch(shapes, box, lengthOf({3, 5}, style), penOf({symbol.hatch, 1, Weight::Thin}, style));
  if (symbol.line)
    shapes.push_back(
        pathShape({{place.left(), middle.y()}, {place.right(), middle.y()}}, penOf(*symbol.line, style)));
  if (symbol.bar) {
    const QPen pen = penOf(*symbol.bar, style);
    const double cap = lengthOf(symbol.cap, style);
    shapes.push_back(pathShape({{middle.x(), place.top()}, {middle.x(), place.bottom()}}, pen));
    for (const double y : {place.top(), place.bottom()})
      if (cap > 0) shapes.push_back(pathShape({{middle.x() - cap, y}, {middle.x() + cap, y}}, pen));
  }
  if (symbol.ringed && symbol.marker) {
    const MarkerStyle ring{Marker::Ring, Ink::Text, true, 1.7 * symbol.marker->size, Rim::Own};
    shapes.push_back(markerShape(ring, middle, ring.size * style.pointSize, style));
  }
  if (symbol.marker)
    shapes.push_back(markerShape(*symbol.marker, middle, symbol.marker->size * style.pointSize, style));
  return shapes;
}

void paintShapes(QPainter& painter, const Primitives& shapes) {
  for (const Primitive& shape : shapes) {
    painter.setRenderHint(QPainter::Antialiasing, !shape.crisp);
    painter.setPen(shape.pen);
    painter.setBrush(shape.fill.isValid() ? QBrush(shape.fill) : QBrush(Qt::NoBrush));
    switch (shape.kind) {
      case Primitive::Kind::Path:
        if (shape.closed)
          painter.drawPolygon(shape.points);
        else
          painter.drawPolyline(shape.points);
        break;
      case Primitive::Kind::Marker:
        painter.drawPath(markerPath(shape.marker, QRectF(shape.at - QPointF(shape.size / 2, shape.size / 2),
                                                         QSizeF(shape.size, shape.size))));
        break;
      case Primitive::Kind::Text:
        painter.save();
        painter.translate(shape.at);
        painter.rotate(shape.angle);
        RichText(shape.text, shape.font).draw(painter, {0, 0});
        painter.restore();
        break;
      case Primitive::Kind::Picture:
        painter.setRenderHint(QPainter::LosslessImageRendering);
        painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
        painter.drawImage(shape.area, shape.picture);
        break;
    }
  }
  painter.setRenderHint(QPainter::Antialiasing, true);
}

}  // namespace plastiscope
