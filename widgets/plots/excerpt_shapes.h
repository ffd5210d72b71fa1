#pragma once
// Draws an excerpt of a text in a box as shapes; colours of tokens wherever text is drawn.
#include "core/views/text_excerpt.h"
#include "widgets/plots/mark_shapes.h"

namespace plastiscope {

class TokenColours {
 public:
  TokenColours(QueryOrKey kind, Theme theme) : m_map(kindColours(kind, theme)) {}
  // `share`: in the colour range; faint where the value is not the token's own. For the screen.
  QColor fill(double share, bool captured) const;
  // The same, opaque on a ground colour.
  QColor fillOn(const QColor& ground, double share, bool captured) const;

 private:
  const ColourMap& m_map;
};

Primitives excerptShapes(const ExcerptMark& mark, const BoxMap& map);
std::vector<ItemPlace> excerptPlaces(const ExcerptMark& mark, const BoxMap& map);

}  // namespace plastiscope
