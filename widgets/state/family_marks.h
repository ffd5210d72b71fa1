#pragma once
// The colour and marker of each model family: data in resources/themes/families.json.
#include <QColor>
#include <QPainterPath>
#include <QString>

namespace plastiscope {

enum class Marker { Circle, Square, Diamond, Triangle, Ring };

struct FamilyMark {
  QColor light, dark;
  Marker marker = Marker::Ring;
};

// Grey with a ring for a family that is not listed.
FamilyMark familyMark(const QString& architecture);
QPainterPath markerPath(Marker marker, const QRectF& box);

}  // namespace plastiscope
