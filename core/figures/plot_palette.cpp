#include "core/figures/plot_palette.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace plastiscope {

namespace {

constexpr PlotPalette kLight = {.window = 0xeff0f1,
                                .view = 0xffffff,
                                .alternate = 0xf6f7f8,
                                .text = 0x232629,
                                .muted = 0x5f666b,
                                .border = 0xc3c7cb,
                                .grid = 0xebedef,
                                .selection = 0xd98a00,
                                .casing = 0xffffff,
                                .otherHeads = 0x7d858b,
                                .otherHeadsAlpha = 51 / 255.0,
                                .good = 0x1f8b4c,
                                .caution = 0xb35c00,
                                .bars = 0xa3abb0,
                                .queryRamp = {0xa6cbe6, 0x4292c6, 0x1764ab, 0x08306b},
                                .keyRamp = {0xfcb095, 0xef5b41, 0xc2161b, 0x67000d},
                                .query = 0x1764ab,
                                .key = 0xc2161b};
constexpr PlotPalette kDark = {.window = 0x2a2e32,
                               .view = 0x1b1e20,
                               .alternate = 0x202427,
                               .text = 0xf0f1f2,
                               .muted = 0xa9b0b5,
                               .border = 0x4a5157,
                               .grid = 0x2a2e32,
                               .selection = 0xffb347,
                               .casing = 0x1b1e20,
                               .otherHeads = 0xaab2b8,
                               .otherHeadsAlpha = 43 / 255.0,
                               .good = 0x4cc27f,
                               .caution = 0xf5a742,
                               .bars = 0x79838a,
                               .queryRamp = {0x23507f, 0x3b82c4, 0x7ab8ea, 0xd3e9fb},
                               .keyRamp = {0x7a231c, 0xc7392c, 0xf0795f, 0xffd5c7},
                               .query = 0x7ab8ea,
                               .key = 0xf0795f};

std::uint32_t inkColour(Ink ink, const Colour& colour, bool dark) {
  const PlotPalette& c = plotPalette(dark);
  switch (ink) {
    case Ink::None:
      return 0;
    case Ink::Fixed:
      return dark ? colour.dark : colour.light;
    case Ink::Text:
      return c.text;
    case Ink::Muted:
    case Ink::AxisLine:
    case Ink::Level:
    case Ink::FewHatch:
      return c.muted;
    case Ink::Border:
      return c.border;
    case Ink::Grid:
    case Ink::FewFill:
      return c.grid;
    case Ink::Ground:
      return c.view;
    case Ink::Outside:
      return c.window;
    case Ink::Alternate:
      return c.alternate;
    case Ink::Selection:
      return c.selection;
    case Ink::Casing:
      return c.casing;
    case Ink::OtherHeads:
      return c.otherHeads;
    case Ink::Bars:
      return c.bars;
    case Ink::Query:
      return c.query;
    case Ink::Key:
      return c.key;
    case Ink::LateQuery:
      return c.queryRamp.back();
    case Ink::LateKey:
      return c.keyRamp.back();
    case Ink::MissingHatch:
      return c.border;
  }
  return 0;
}

}  // namespace

const PlotPalette& plotPalette(bool dark) {
  return dark ? kDark : kLight;
}

std::uint32_t mixedColour(std::uint32_t from, std::uint32_t to, double share) {
  std::uint32_t mixed = 0;
  for (const int shift : {16, 8, 0}) {
    const auto a = static_cast<double>(from >> shift & 0xff), b = static_cast<double>(to >> shift & 0xff);
    mixed |= static_cast<std::uint32_t>(std::lround(a + share * (b - a))) << shift;
  }
  return mixed;
}

std::uint32_t rampColour(const std::array<std::uint32_t, 4>& ramp, double share) {
  const double place = std::clamp(share, 0.0, 1.0) * 3;
  const auto low = static_cast<std::size_t>(std::min(2.0, std::floor(place)));
  return mixedColour(ramp[low], ramp[low + 1], place - static_cast<double>(low));
}

std::string cssColour(const Colour& colour, bool dark) {
  if (colour.ink == Ink::None) return {};
  std::uint32_t rgb = inkColour(colour.ink, colour, dark);
  for (const Mix& mix : colour.mixes) rgb = mixedColour(rgb, inkColour(mix.with, colour, dark), mix.share);
  const double alpha = colour.ink == Ink::OtherHeads && colour.alpha >= 1
                           ? plotPalette(dark).otherHeadsAlpha
                           : std::clamp(colour.alpha, 0.0, 1.0);
  char text[10];
  if (alpha < 1)
    std::snprintf(text, sizeof text, "#%06x%02x", rgb, static_cast<unsigned>(std::lround(alpha * 255)));
  else
    std::snprintf(text, sizeof text, "#%06x", rgb);
  return text;
}

}  // namespace plastiscope
