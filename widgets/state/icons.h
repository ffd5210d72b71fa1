#pragma once
// Line icons in the colour of the surrounding text, and marks of model families. Both follow a change of the
// theme.
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

// Mark of an architecture: colour and marker (resources/themes/families.json); a grey ring if unknown.
QIcon familyIcon(const QString& architecture);
// The permanent look of a capture, by its fingerprint; without one the mark of its architecture.
QIcon captureIcon(const QString& print, const QString& architecture);
QIcon lookIcon(int look);
// Marks of compared models, one per model, the same as in the plots beside them.
std::vector<QIcon> seriesIcons(const Comparison& comparison);
QColor familyColour(const QString& architecture);
// Outline of a marker that fills a box.
QPainterPath markerPath(Marker marker, const QRectF& box);

}  // namespace plastiscope
