// Colour and mark of a capture: constant, and distinguishable from others with impaired colour vision too.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "core/compare/reference_data.h"
#include "core/figures/parts.h"

namespace plastiscope {
namespace {

using Look = std::tuple<std::uint32_t, Marker, bool>;

Look lookOf(const SeriesStyle& style) {
  return {style.colour.light, style.marker, style.hollow};
}

std::vector<Look> looksOf(const std::vector<ComparedName>& models) {
  std::vector<Look> looks;
  for (const SeriesStyle& style : seriesStyles(models)) looks.push_back(lookOf(style));
  return looks;
}

TEST(CaptureLooks, DoNotChangeWhenAnotherCaptureIsRemoved) {
  const std::vector<ComparedName> all = {{"a", "llama", "0f3c9a2b11d4e5f6"},
                                         {"b", "llama", "9d2e7711aa00bb42"},
                                         {"c", "gemma3", "4411aabbccddee75"},
                                         {"d", "gemma3", publishedInput("qwen3-8b")}};
  const std::vector<Look> looks = looksOf(all);
  EXPECT_EQ(std::set(looks.begin(), looks.end()).size(), all.size());
  for (std::size_t gone = 0; gone < all.size(); ++gone) {
    auto fewer = all;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(gone));
    auto expected = looks;
    expected.erase(expected.begin() + static_cast<std::ptrdiff_t>(gone));
    EXPECT_EQ(looksOf(fewer), expected) << gone;
    EXPECT_EQ(lookOf(captureStyle(all[gone].digest)), looks[gone]) << "a single capture";
  }
}

TEST(CaptureLooks, EqualLooksGetDifferentMarks) {
  const std::vector<ComparedName> twins = {{"a", "llama", "0f3c9a2b11d4e5f6"},
                                           {"b", "llama", "0f3c9a2b11d4e5f6"}};
  const auto looks = seriesStyles(twins);
  EXPECT_EQ(looks[0].colour, looks[1].colour);
  EXPECT_NE(lookOf(looks[0]), lookOf(looks[1]));
}

std::vector<ComparedName> namesOf(std::size_t count, int variant) {
  std::vector<ComparedName> names;
  for (std::size_t i = 0; i < count; ++i)
    names.push_back({"m", "llama", std::to_string(variant) + " print " + std::to_string(i)});
  return names;
}

std::map<std::uint32_t, std::size_t> coloursOf(const std::vector<Look>& looks) {
  std::map<std::uint32_t, std::size_t> colours;
  for (const Look& look : looks) ++colours[std::get<0>(look)];
  return colours;
}

TEST(CaptureLooks, UpToEightHaveDifferentColoursInAnyOrder) {
  for (int variant = 0; variant < 60; ++variant) {
    for (std::size_t count = 2; count <= 8; ++count) {
      std::vector<ComparedName> names = namesOf(count, variant);
      std::vector<Look> looks = looksOf(names);
      EXPECT_EQ(coloursOf(looks).size(), count) << variant;
      std::ranges::reverse(names);
      std::ranges::reverse(looks);
      EXPECT_EQ(looksOf(names), looks) << variant;
    }
  }
}

TEST(CaptureLooks, MoreCapturesShareColoursEvenlyWithDifferentMarks) {
  for (int variant = 0; variant < 60; ++variant) {
    const std::vector<Look> looks = looksOf(namesOf(32, variant));
    EXPECT_EQ(std::set(looks.begin(), looks.end()).size(), 32U) << variant;
    for (const auto& [colour, times] : coloursOf(looks)) EXPECT_EQ(times, 4U) << variant;
  }
}

TEST(CaptureLooks, OnlyCollidingLooksChange) {
  std::size_t moved = 0;
  for (int variant = 0; variant < 200; ++variant) {
    const std::vector<ComparedName> names = namesOf(3, variant);
    const std::vector<Look> looks = looksOf(names);
    std::map<std::uint32_t, std::size_t> own;
    for (const ComparedName& name : names) ++own[captureStyle(name.digest).colour.light];
    for (std::size_t i = 0; i < names.size(); ++i) {
      const Look alone = lookOf(captureStyle(names[i].digest));
      if (own[std::get<0>(alone)] == 1) {
        EXPECT_EQ(looks[i], alone) << variant;
      }
      moved += looks[i] != alone ? 1 : 0;
    }
    EXPECT_EQ(
        std::ranges::count(looks, true, [&](const Look& look) { return own.contains(std::get<0>(look)); }),
        static_cast<std::ptrdiff_t>(own.size()))
        << "one of the colliding looks stays";
  }
  EXPECT_GT(moved, 20U);
}

TEST(CaptureLooks, UseTheGivenLook) {
  std::vector<ComparedName> names = namesOf(3, 0);
  for (int i = 0; i < 3; ++i) names[static_cast<std::size_t>(i)].look = 9 * i + 4;
  const auto styles = seriesStyles(names);
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(lookOf(styles[static_cast<std::size_t>(i)]), lookOf(lookStyle(9 * i + 4)));
}

TEST(CaptureLooks, FittingLookIsTheWantedOrTheNextFreeOne) {
  EXPECT_EQ(fittingLook(21, {}), 21);
  EXPECT_EQ(fittingLook(21, {3, 7}), 21);
  EXPECT_EQ(fittingLook(21, {5}), 22) << "the colour is taken";
  EXPECT_EQ(fittingLook(23, {7}), 16) << "the first colour follows the last";
  std::vector<int> taken;
  for (int i = 0; i < kLooks; ++i) taken.push_back(fittingLook(21, taken));
  EXPECT_EQ(std::set(taken.begin(), taken.end()).size(), static_cast<std::size_t>(kLooks));
}

TEST(CaptureLooks, PublishedModelsHaveDifferentLooks) {
  std::set<Look> looks;
  for (const ReferenceModel& model : referenceModels())
    looks.insert(lookOf(captureStyle(publishedInput(model.id))));
  EXPECT_EQ(looks.size(), referenceModels().size());
}

TEST(CaptureLooks, FingerprintsSpreadOverColoursAndMarks) {
  std::set<std::uint32_t> colours;
  std::set<std::pair<Marker, bool>> marks;
  for (int i = 0; i < 400; ++i) {
    const SeriesStyle style = captureStyle("print " + std::to_string(i));
    colours.insert(style.colour.light);
    marks.emplace(style.marker, style.hollow);
  }
  EXPECT_EQ(colours.size(), 8U);
  EXPECT_EQ(marks.size(), 10U);
}

// Simulates a colour for people without green cones (Machado, Oliveira and Fernandes 2009, severity 1) and
// measures the distance of two colours (CIE76 in CIELAB).
using Three = std::array<double, 3>;
constexpr std::array<Three, 3> kSeen = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
constexpr std::array<Three, 3> kWithoutGreen = {
    {{.367322, .860646, -.227968}, {.280085, .672501, .047413}, {-.011820, .042940, .968881}}};
constexpr std::array<Three, 3> kWithoutRed = {
    {{.152286, 1.052583, -.204868}, {.114503, .786281, .099216}, {-.003882, -.048116, 1.051998}}};

Three times(const std::array<Three, 3>& matrix, const Three& of) {
  Three result{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) result.at(i) += matrix.at(i).at(j) * of.at(j);
  }
  return result;
}

Three labOf(std::uint32_t colour, const std::array<Three, 3>& eye) {
  Three linear{};
  for (std::size_t i = 0; i < 3; ++i) {
    const double part = ((colour >> (16 - 8 * i)) & 255U) / 255.0;
    linear.at(i) = part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
  }
  Three seen = times(eye, linear);
  for (double& part : seen) part = std::clamp(part, 0.0, 1.0);
  Three xyz = times({{{.4124, .3576, .1805}, {.2126, .7152, .0722}, {.0193, .1192, .9505}}}, seen);
  const Three white = {0.95047, 1, 1.08883};
  for (std::size_t i = 0; i < 3; ++i) {
    const double share = xyz.at(i) / white.at(i);
    xyz.at(i) = share > 0.008856 ? std::cbrt(share) : 7.787 * share + 16.0 / 116;
  }
  return {116 * xyz[1] - 16, 500 * (xyz[0] - xyz[1]), 200 * (xyz[1] - xyz[2])};
}

TEST(CaptureLooks, ColoursDifferWithoutGreenCones) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> colours;
  for (int i = 0; i < 400; ++i) {
    const Colour colour = captureStyle("print " + std::to_string(i)).colour;
    colours.emplace(colour.light, colour.dark);
  }
  for (const auto& eye : {kSeen, kWithoutGreen, kWithoutRed}) {
    for (const auto& one : colours) {
      for (const auto& other : colours) {
        if (one == other) continue;
        const auto apart = [&eye](std::uint32_t a, std::uint32_t b) {
          const Three x = labOf(a, eye), y = labOf(b, eye);
          return std::hypot(x[0] - y[0], x[1] - y[1], x[2] - y[2]);
        };
        EXPECT_GT(apart(one.first, other.first), 10) << std::hex << one.first << " " << other.first;
        EXPECT_GT(apart(one.second, other.second), 10) << std::hex << one.second << " " << other.second;
      }
    }
  }
}

}  // namespace
}  // namespace plastiscope
