#include "core/views/row_colours.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "core/base/error.h"
#include "core/views/metric_info.h"

namespace plastiscope {

namespace {

constexpr std::array<RowColourInfo, 6> kColours = {{
    {RowColour::Position, "position", "the token's position in its text, early to late"},
    {RowColour::Text, "text", "the text that the row is from"},
    {RowColour::TokenType, "token type",
     "word start, continuation of a word, number, punctuation, space, or a letter that is not Latin"},
    {RowColour::Norm, "norm", "the length of the row"},
    {RowColour::Rest, "outside the plane", "the length of the part of the row that the plane does not show"},
    {RowColour::Quintile, "quintile", "the quintile of the window in which the token stands"},
}};

// Okabe and Ito's colours without orange, which marks the selection; the lighter ones are darkened on white.
const std::array<Colour, 7> kClassColours = {Colour{0x0072b2, 0x4aa3dd}, Colour{0x56b4e9, 0x9ad4f7},
                                             Colour{0xd55e00, 0xf0803c}, Colour{0x009e73, 0x2cc79a},
                                             Colour{0xcc79a7, 0xe09cc2}, Colour{0x8c7a00, 0xf0e442},
                                             Colour{0x7d858b, 0x9aa2a8}};
constexpr std::array<std::size_t, 6> kTypeColours = {0, 1, 2, 4, 6, 3};
constexpr std::int32_t kRampSteps = 64;
constexpr std::int32_t kQuintiles = 5;

template <typename StepOf>
void fillSteps(RowColouring& colouring, const PlaneData& plane, StepOf stepOf) {
  const auto fill = [&](const PlaneRows& rows, std::vector<std::int32_t>& steps) {
    steps.reserve(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i)
      steps.push_back(
          std::clamp<std::int32_t>(static_cast<std::int32_t>(stepOf(rows, i)), 0, colouring.steps - 1));
  };
  fill(plane.query, colouring.query);
  fill(plane.key, colouring.key);
}

void byText(RowColouring& colouring, const PlaneData& plane) {
  const std::size_t texts = std::max<std::size_t>(1, plane.exampleIds.size());
  colouring.steps = static_cast<std::int32_t>(texts);
  if (texts <= kClassColours.size()) {
    for (std::size_t i = 0; i < texts; ++i)
      colouring.classes.push_back(
          {richEscaped(exampleLabel(plane.exampleIds, static_cast<std::int32_t>(i))), kClassColours[i]});
  }
  colouring.ends = "text 1 \u2026 " + std::to_string(texts);
  fillSteps(colouring, plane, [](const PlaneRows& rows, std::size_t i) { return rows.example[i]; });
}

void byType(RowColouring& colouring, const PlaneData& plane, const TokenTypes& types) {
  for (const char* title : titlesOf(TokenType()))
    colouring.classes.push_back({title, kClassColours[kTypeColours[colouring.classes.size()]]});
  colouring.steps = static_cast<std::int32_t>(colouring.classes.size());
  fillSteps(colouring, plane, [&types](const PlaneRows& rows, std::size_t i) {
    const auto example = static_cast<std::size_t>(rows.example[i]),
               position = static_cast<std::size_t>(rows.position[i]);
    if (example >= types.size() || position >= types[example].size())
      throw InputError("a row at position " + std::to_string(position) + " lies outside of its text");
    return types[example][position];
  });
}

// Ramp over the middle 98 % of queries and keys together.
void byValue(RowColouring& colouring, const PlaneData& plane, std::vector<float> PlaneRows::*value,
             const std::string& title) {
  std::vector<float> values;
  for (const PlaneRows* rows : {&plane.query, &plane.key})
    std::ranges::copy_if(rows->*value, std::back_inserter(values),
                         [](float one) { return std::isfinite(one); });
  const auto at = [&values](std::size_t place) {
    if (values.empty()) return 0.0;
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(place), values.end());
    return static_cast<double>(values[place]);
  };
  const std::size_t cut = values.size() / 100;
  const double low = at(cut), high = at(values.empty() ? 0 : values.size() - 1 - cut);
  const double perStep = (high > low ? high - low : 1.0) / kRampSteps;
  colouring.steps = kRampSteps;
  const int decimals = high - low < 5 ? 2 : 1;
  colouring.ends = title + " " + fixedText(low, decimals) + " \u2026 " + fixedText(high, decimals);
  fillSteps(colouring, plane, [value, low, perStep](const PlaneRows& rows, std::size_t i) {
    const auto one = static_cast<double>((rows.*value)[i]);  // rows with missing values are not drawn
    return std::isfinite(one) ? std::clamp((one - low) / perStep, 0.0, double{kRampSteps}) : 0.0;
  });
}

void byQuintile(RowColouring& colouring, const PlaneData& plane) {
  colouring.steps = kQuintiles;
  colouring.ends = "quintile 1 \u2026 5";
  const std::int64_t window = std::max<std::int64_t>(1, plane.window);
  fillSteps(colouring, plane, [window](const PlaneRows& rows, std::size_t i) {
    return std::min<std::int64_t>(kQuintiles - 1, rows.position[i] * std::int64_t{kQuintiles} / window);
  });
}

}  // namespace

std::span<const RowColourInfo> rowColours() {
  return kColours;
}

TokenTypes tokenTypesOf(const CaptureFile& capture) {
  TokenTypes types;
  for (std::size_t example = 0; example < capture.info().examples.size(); ++example) {
    const std::vector<std::string> tokens = capture.tokenTexts(static_cast<std::int64_t>(example));
    if (tokens.empty())
      throw InputError(
          "the capture does not hold the words of its texts, which determine the types of tokens: it was "
          "made from token ids, or with --no-texts");
    types.push_back(tokenTypes(tokens));
  }
  return types;
}

std::shared_ptr<const RowColouring> colourRows(const PlaneData& plane, RowColour by,
                                               const TokenTypes* types) {
  if (by == RowColour::Position) return nullptr;
  auto colouring = std::make_shared<RowColouring>();
  colouring->by = by;
  switch (by) {
    case RowColour::Position:
      break;
    case RowColour::Text:
      byText(*colouring, plane);
      break;
    case RowColour::TokenType:
      byType(*colouring, plane, *types);
      break;
    case RowColour::Norm:
      byValue(*colouring, plane, &PlaneRows::norm, "norm");
      break;
    case RowColour::Rest:
      byValue(*colouring, plane, &PlaneRows::rest, "outside the plane");
      break;
    case RowColour::Quintile:
      byQuintile(*colouring, plane);
      break;
  }
  return colouring;
}

}  // namespace plastiscope
