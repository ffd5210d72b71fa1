#pragma once
// Line icons in the colour of the surrounding text, and marks of model families and captures. They follow a
// change of the theme.
#include <QIcon>
#include <QPainterPath>
#include <QString>
#include <string>
#include <vector>

namespace plastiscope {

enum class Marker;  // core/views/plot.h
struct Comparison;
struct HeadGroup;

// resources/icons/NAME.svg. `role`: a theme colour; "" = the palette's text.
QIcon lineIcon(const QString& name, const QString& role = {});

// Mark of an architecture: colour and marker (resources/themes/families.json); a grey ring if unknown.
QIcon familyIcon(const QString& architecture);
// The permanent look of a capture, by its fingerprint; without one the mark of its architecture.
QIcon captureIcon(const QString& print, const QString& architecture);
QIcon lookIcon(int look);
// Square in the colour of a group of heads.
QIcon groupIcon(const HeadGroup& group);
// Marks of compared models, one per model, the same as in the plots beside them.
std::vector<QIcon> seriesIcons(const Comparison& comparison);
// Outline of a marker that fills a box.
QPainterPath markerPath(Marker marker, const QRectF& box);

// Looks of the captures shown so far, so that no two of them share colour and mark and each keeps its look
// across sessions. GUI thread only.
struct KnownLook {
  std::string digest;  // fingerprint of the capture (captureDigestOf)
  int look = 0;        // as captureLook()
  bool operator==(const KnownLook&) const = default;
};

// A new capture gets its own look or the next one not in use; looks of the thesis' models are reserved.
// Beyond kLooks captures its own, which another one may have.
int knownLook(const std::string& digest);

// Looks kept in the settings, most recently seen last. Some of the oldest are dropped when the list is nearly
// full.
std::vector<KnownLook> knownLooks();
void setKnownLooks(std::vector<KnownLook> looks);

}  // namespace plastiscope
