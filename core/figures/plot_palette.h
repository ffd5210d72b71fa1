#pragma once
// Colours of plots on the screen in both themes, for the window, files and pages.
#include <array>
#include <cstdint>
#include <string>

#include "core/views/plot.h"

namespace plastiscope {

// 0xrrggbb of an ink of the theme; 0 for Ink::None and Ink::Fixed.
std::uint32_t inkColour(Ink ink, bool dark);
inline constexpr double kOtherHeadsAlpha[] = {51 / 255.0, 43 / 255.0};  // light, dark
// Query or Key, early to late; late has the highest contrast.
std::array<std::uint32_t, 4> positionRamp(Ink kind, bool dark);
// share 0: `from`, 1: `to`.
std::uint32_t mixedColour(std::uint32_t from, std::uint32_t to, double share);
// A colour as CSS writes it: "#rrggbb", or "#rrggbbaa" where it is translucent.
std::string cssColour(const Colour& colour, bool dark);

}  // namespace plastiscope
