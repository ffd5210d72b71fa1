#include "widgets/state/family_marks.h"

#include <QFile>
#include <QHash>

#include "core/base/json.h"

namespace plastiscope {

namespace {

Marker markerNamed(const QString& name) {
  static const QHash<QString, Marker> kMarkers = {{QStringLiteral("circle"), Marker::Circle},
                                                  {QStringLiteral("square"), Marker::Square},
                                                  {QStringLiteral("diamond"), Marker::Diamond},
                                                  {QStringLiteral("triangle"), Marker::Triangle}};
  return kMarkers.value(name, Marker::Ring);
}

QHash<QString, FamilyMark> readFamilies() {
  QHash<QString, FamilyMark> marks;
  QFile file(QStringLiteral(":/plastiscope/themes/families.json"));
  if (!file.open(QIODevice::ReadOnly)) return marks;
  const Json root = parseJson(file.readAll().toStdString(), "families.json");
  for (const auto& [name, mark] : root.items()) {
    const auto text = [&mark = mark](const char* key) {
      return QString::fromStdString(mark.at(key).get<std::string>());
    };
    marks.insert(QString::fromStdString(name),
                 {QColor(text("light")), QColor(text("dark")), markerNamed(text("marker"))});
  }
  return marks;
}

}  // namespace

FamilyMark familyMark(const QString& architecture) {
  static const QHash<QString, FamilyMark> kMarks = readFamilies();
  return kMarks.value(architecture.toLower(),
                      {QColor(0x7d, 0x85, 0x8b), QColor(0x9a, 0xa2, 0xa8), Marker::Ring});
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
    case Marker::Circle:
    case Marker::Ring:
      path.addEllipse(box);
      break;
  }
  path.closeSubpath();
  return path;
}

}  // namespace plastiscope
