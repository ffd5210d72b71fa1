#pragma once
// Colour maps as data (resources/colour_maps), 256 colours each.
#include <QColor>
#include <QString>
#include <QStringList>
#include <algorithm>
#include <array>

namespace plastiscope {

class ColourMap {
 public:
  explicit ColourMap(const std::array<QRgb, 256>& colours) : m_colours(colours) {}
  // share is clamped to 0..1; NaN has no colour and must not be asked for.
  QRgb at(double share) const {  // here, because a big map asks a million times
    return m_colours[static_cast<std::size_t>(std::clamp(share, 0.0, 1.0) * 255 + 0.5)];
  }
  const std::array<QRgb, 256>& colours() const { return m_colours; }

 private:
  std::array<QRgb, 256> m_colours;
};

// viridis, cividis, magma, blues and reds (sequential), blue_white_red (diverging). Error (internal) for
// another name.
const ColourMap& colourMap(const QString& name);
QStringList colourMapNames();

}  // namespace plastiscope
