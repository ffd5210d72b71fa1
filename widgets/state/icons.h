#pragma once
// Line icons in the colour of the text around them, and the marks of model families. Both follow a theme
// switch by themselves.
#include <QColor>
#include <QIcon>
#include <QPainterPath>
#include <QString>
#include <vector>

namespace plastiscope {

enum class Marker;  // core/views/plot.h
struct Comparison;

// resources/icons/NAME.svg. `role`: a theme colour; "" = the palette's text.
QIcon lineIcon(const QString& name, const QString& role = {});

// The mark of an architecture: colour and marker (resources/themes/families.json); a grey ring for an unknown
// one.
QIcon familyIcon(const QString& architecture);
// The look of a capture for its life, by its print; without one the mark of its architecture.
QIcon captureIcon(const QString& print, const QString& architecture);
QIcon lookIcon(int look);
// The marks of compared models, the same as in the plots beside them: one a model.
std::vector<QIcon> seriesIcons(const Comparison& comparison);
QColor familyColour(const QString& architecture);
// The outline of a marker as large as a box.
QPainterPath markerPath(Marker marker, const QRectF& box);

}  // namespace plastiscope
