#include "core/figures/plot_palette.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iterator>

namespace plastiscope {

namespace {

struct InkColours {
  Ink ink;
  std::uint32_t light, dark;
};
constexpr InkColours kInks[] = {{Ink::Text, 0x232629, 0xf0f1f2},         {Ink::Muted, 0x5f666b, 0xa9b0b5},
                                {Ink::AxisLine, 0x5f666b, 0xa9b0b5},     {Ink::Level, 0x5f666b, 0xa9b0b5},
                                {Ink::FewHatch, 0x5f666b, 0xa9b0b5},     {Ink::Border, 0xc3c7cb, 0x4a5157},
                                {Ink::MissingHatch, 0xc3c7cb, 0x4a5157}, {Ink::Grid, 0xebedef, 0x2a2e32},
                                {Ink::FewFill, 0xebedef, 0x2a2e32},      {Ink::Ground, 0xffffff, 0x1b1e20},
                                {Ink::Outside, 0xeff0f1, 0x2a2e32},      {Ink::Alternate, 0xf6f7f8, 0x202427},
                                {Ink::Selection, 0xd98a00, 0xffb347},    {Ink::Casing, 0xffffff, 0x1b1e20},
                                {Ink::OtherHeads, 0x7d858b, 0xaab2b8},   {Ink::Bars, 0xa3abb0, 0x79838a},
                                {Ink::Query, 0x1764ab, 0x7ab8ea},        {Ink::Key, 0xc2161b, 0xf0795f},
                                {Ink::LateQuery, 0x08306b, 0xd3e9fb},    {Ink::LateKey, 0x67000d, 0xffd5c7}};

}  // namespace

std::uint32_t inkColour(Ink ink, bool dark) {
  const auto* known = std::ranges::find(kInks, ink, &InkColours::ink);
  return known == std::end(kInks) ? 0 : dark ? known->dark : known->light;
}

std::array<std::uint32_t, 4> positionRamp(Ink kind, bool dark) {
  const std::uint32_t late = inkColour(kind == Ink::Query ? Ink::LateQuery : Ink::LateKey, dark);
  if (kind == Ink::Query)
    return dark ? std::array{0x23507fU, 0x3b82c4U, 0x7ab8eaU, late}
                : std::array{0xa6cbe6U, 0x4292c6U, 0x1764abU, late};
  return dark ? std::array{0x7a231cU, 0xc7392cU, 0xf0795fU, late}
              : std::array{0xfcb095U, 0xef5b41U, 0xc2161bU, late};
}

std::uint32_t mixedColour(std::uint32_t from, std::uint32_t to, double share) {
  std::uint32_t mixed = 0;
  for (const int shift : {16, 8, 0}) {
    const auto a = static_cast<double>(from >> shift & 0xff), b = static_cast<double>(to >> shift & 0xff);
    mixed |= static_cast<std::uint32_t>(std::lround(a + share * (b - a))) << shift;
  }
  return mixed;
}

std::string cssColour(const Colour& colour, bool dark) {
  const auto fixed = [&](Ink ink) {
    return ink == Ink::Fixed ? dark ? colour.dark : colour.light : inkColour(ink, dark);
  };
  std::uint32_t rgb = fixed(colour.ink);
  for (const Mix& mix : colour.mixes) rgb = mixedColour(rgb, fixed(mix.with), mix.share);
  const bool faint = colour.ink == Ink::OtherHeads && colour.alpha >= 1;
  const double alpha = faint ? kOtherHeadsAlpha[dark ? 1 : 0] : std::clamp(colour.alpha, 0.0, 1.0);
  char text[10];
  std::snprintf(text, sizeof text, alpha < 1 ? "#%06x%02x" : "#%06x", rgb,
                static_cast<unsigned>(std::lround(alpha * 255)));
  return text;
}

}  // namespace plastiscope
