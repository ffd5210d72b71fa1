#include "widgets/state/icons.h"

#include <QFile>
#include <QGuiApplication>
#include <QIconEngine>
#include <QPainter>
#include <QPalette>
#include <QSvgRenderer>
#include <algorithm>

#include "core/compare/reference_data.h"
#include "core/figures/parts.h"
#include "widgets/state/theme.h"

namespace plastiscope {

namespace {

// Paints when used, so that it always has the colours of the current theme.
class PaintedIcon : public QIconEngine {
 public:
  QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
    QPixmap picture(size);
    if (picture.isNull()) return picture;  // a button without space
    picture.fill(Qt::transparent);
    QPainter painter(&picture);
    paint(&painter, QRect(QPoint(), size), mode, state);
    return picture;
  }
};

class LineIconEngine : public PaintedIcon {
 public:
  LineIconEngine(QString name, QString role) : m_name(std::move(name)), m_role(std::move(role)) {
    QFile file(QStringLiteral(":/plastiscope/icons/%1.svg").arg(m_name));
    if (file.open(QIODevice::ReadOnly)) m_svg = file.readAll();
  }
  QIconEngine* clone() const override { return new LineIconEngine(*this); }

  void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override {
    QByteArray coloured = m_svg;
    coloured.replace("currentColor", colour(mode).name().toLatin1());
    QSvgRenderer renderer(coloured);
    painter->setRenderHint(QPainter::Antialiasing);
    renderer.render(painter, QRectF(rect));
  }

 private:
  QColor colour(QIcon::Mode mode) const {
    const QPalette palette = QGuiApplication::palette();
    if (mode == QIcon::Disabled) return palette.color(QPalette::Disabled, QPalette::WindowText);
    if (mode == QIcon::Selected) return palette.color(QPalette::HighlightedText);
    return m_role.isEmpty() ? palette.color(QPalette::WindowText) : currentTheme()[m_role];
  }

  QString m_name, m_role;
  QByteArray m_svg;
};

class MarkIconEngine : public PaintedIcon {
 public:
  explicit MarkIconEngine(SeriesStyle style) : m_style(std::move(style)) {}
  QIconEngine* clone() const override { return new MarkIconEngine(*this); }

  void paint(QPainter* painter, const QRect& rect, QIcon::Mode, QIcon::State) override {
    const double side = std::min(rect.width(), rect.height()) * 0.6;
    const QRectF box(QPointF(rect.center()) + QPointF(0.5, 0.5) - QPointF(side / 2, side / 2),
                     QSizeF(side, side));
    painter->setRenderHint(QPainter::Antialiasing);
    const QColor colour(currentTheme().dark ? m_style.colour.dark : m_style.colour.light);
    painter->setPen(m_style.hollow ? QPen(colour, 1.6) : QPen(Qt::NoPen));
    painter->setBrush(m_style.hollow ? QBrush(Qt::NoBrush) : QBrush(colour));
    painter->drawPath(markerPath(m_style.marker, box));
  }

 private:
  SeriesStyle m_style;
};

}  // namespace

QIcon lineIcon(const QString& name, const QString& role) {
  return QIcon(new LineIconEngine(name, role));
}

QIcon familyIcon(const QString& architecture) {
  return QIcon(new MarkIconEngine(familyStyle(architecture.toStdString())));
}

QIcon captureIcon(const QString& print, const QString& architecture) {
  return print.isEmpty() ? familyIcon(architecture) : lookIcon(knownLook(print.toStdString()));
}

QIcon lookIcon(int look) {
  return QIcon(new MarkIconEngine(lookStyle(look)));
}

QIcon groupIcon(const HeadGroup& group) {
  return QIcon(new MarkIconEngine(seriesStyle(groupStyle(group, 0).colour, Marker::Square)));
}

std::vector<QIcon> seriesIcons(const Comparison& comparison) {
  std::vector<ComparedName> models;
  for (const ComparedModel& model : comparison.models) models.push_back(comparedName(model));
  std::vector<QIcon> icons;
  for (SeriesStyle& style : seriesStyles(models))
    icons.push_back(QIcon(new MarkIconEngine(std::move(style))));
  return icons;
}

QPainterPath markerPath(Marker marker, const QRectF& box) {
  QPainterPath path;
  const QPointF c = box.center();
  const double r = box.width() / 2;
  switch (marker) {
    case Marker::Square:
      path.addRect(box.adjusted(r * 0.12, r * 0.12, -r * 0.12, -r * 0.12));
      break;
    case Marker::Diamond:
      path.addPolygon(
          QPolygonF({{c.x(), c.y() - r}, {c.x() + r, c.y()}, {c.x(), c.y() + r}, {c.x() - r, c.y()}}));
      break;
    case Marker::Triangle:
      path.addPolygon(
          QPolygonF({{c.x(), c.y() - r}, {c.x() + r, c.y() + r * 0.8}, {c.x() - r, c.y() + r * 0.8}}));
      break;
    case Marker::DownTriangle:
      path.addPolygon(
          QPolygonF({{c.x(), c.y() + r}, {c.x() + r, c.y() - r * 0.8}, {c.x() - r, c.y() - r * 0.8}}));
      break;
    case Marker::Dot:
      path.addEllipse(c, 0.8 * r, 0.8 * r);
      break;
    case Marker::Circle:
    case Marker::Ring:
      path.addEllipse(box);
      break;
  }
  path.closeSubpath();
  return path;
}

namespace {

constexpr std::size_t kRoomForNew = 16;  // room for captures of one session

std::vector<KnownLook>& listOfLooks() {
  static std::vector<KnownLook> looks;
  return looks;
}

}  // namespace

int knownLook(const std::string& digest) {
  const int own = captureLook(digest);
  if (publishedIdOf(digest)) return own;
  std::vector<KnownLook>& looks = listOfLooks();
  const auto found = std::ranges::find(looks, digest, &KnownLook::digest);
  if (found != looks.end()) {
    std::rotate(found, found + 1, looks.end());
    return looks.back().look;
  }
  if (looks.size() >= kLooks) return own;
  std::vector<int> taken;
  for (const KnownLook& known : looks) taken.push_back(known.look);
  looks.push_back({digest, fittingLook(own, taken)});
  return looks.back().look;
}

std::vector<KnownLook> knownLooks() {
  return listOfLooks();
}

void setKnownLooks(std::vector<KnownLook> looks) {
  constexpr std::size_t kMaximum = kLooks - kRoomForNew;
  if (looks.size() > kMaximum) looks.erase(looks.begin(), looks.end() - kMaximum);
  listOfLooks() = std::move(looks);
}

}  // namespace plastiscope
