#pragma once
// Colours of plots in both themes, as 0xrrggbb: for the window, files and pages.
#include <array>
#include <cstdint>
#include <string>

#include "core/views/plot.h"

namespace plastiscope {

struct PlotPalette {
  std::uint32_t window, view, alternate;  // around the plot, behind the data; "no data" in maps is `window`
  std::uint32_t text, muted, border, grid;
  std::uint32_t selection, casing;
  std::uint32_t otherHeads;
  double otherHeadsAlpha;
  std::uint32_t good, caution, bars;
  std::array<std::uint32_t, 4> queryRamp, keyRamp;  // early to late; late has the highest contrast
  std::uint32_t query, key;                         // one colour per kind where position is not shown
};
const PlotPalette& plotPalette(bool dark);

// A colour on the screen as CSS writes it: "#rrggbb", or "#rrggbbaa" where it is translucent; "" for no
// colour.
std::string cssColour(const Colour& colour, bool dark);
// Position in a ramp: share 0 (early) .. 1 (late).
std::uint32_t rampColour(const std::array<std::uint32_t, 4>& ramp, double share);
// share 0: `from`, 1: `to`.
std::uint32_t mixedColour(std::uint32_t from, std::uint32_t to, double share);

}  // namespace plastiscope
