// The look of a capture for its life, from its print alone.
#include <algorithm>

#include "core/base/json.h"
#include "core/base/random.h"
#include "core/compare/reference_data.h"
#include "core/figures/parts.h"

namespace plastiscope {

std::string_view embeddedCaptureLooks();

namespace {

struct CaptureLooks {
  std::vector<Colour> colours;
  std::vector<FamilyMark> marks;
  std::vector<bool> hollow;  // [marks]
};

const CaptureLooks& captureLooks() {
  static const CaptureLooks kLooks = [] {
    const Json root = parseJson(std::string(embeddedCaptureLooks()), "captures.json");
    CaptureLooks looks;
    for (const Json& colour : root.at("colours"))
      looks.colours.push_back(
          colourNamed(colour.at("light").get<std::string>(), colour.at("dark").get<std::string>()));
    for (const Json& mark : root.at("marks")) {
      looks.marks.push_back({{}, markerNamed(mark.at("marker").get<std::string>())});
      looks.hollow.push_back(mark.at("hollow").get<bool>());
    }
    return looks;
  }();
  return kLooks;
}

struct LookNumbers {
  std::uint64_t colour = 0, mark = 0;
};

// Published models one after the other, so that all differ; captures by their print.
LookNumbers lookNumbers(const std::string& print) {
  if (const auto id = publishedIdOf(print)) {
    const std::vector<ReferenceModel> models = referenceModels();
    const auto found = std::ranges::find(models, *id, &ReferenceModel::id);
    const auto place = static_cast<std::uint64_t>(found - models.begin());
    return {place, place};
  }
  std::uint64_t state = 0;
  for (const char c : print) state = combine(state, mix64(static_cast<unsigned char>(c) + 1U));
  return {state % captureLooks().colours.size(), state / captureLooks().colours.size()};
}

SeriesStyle styleOf(LookNumbers numbers) {
  const CaptureLooks& looks = captureLooks();
  const std::size_t mark = numbers.mark % looks.marks.size();
  SeriesStyle style;
  style.colour = looks.colours[numbers.colour % looks.colours.size()];
  style.marker = looks.marks[mark].marker;
  style.hollow = looks.hollow[mark];
  style.line = {style.colour};
  if (style.hollow) style.line.dash = {4.5, 1.8};
  return style;
}

}  // namespace

SeriesStyle captureStyle(const std::string& print) {
  return styleOf(lookNumbers(print));
}

SeriesStyle freeStyle(const std::string& print, const std::vector<SeriesStyle>& taken) {
  LookNumbers numbers = lookNumbers(print);
  for (std::size_t tries = 0; tries < captureLooks().marks.size(); ++tries, ++numbers.mark) {
    const SeriesStyle style = styleOf(numbers);
    const bool free = std::ranges::none_of(taken, [&style](const SeriesStyle& other) {
      return other.colour == style.colour && other.marker == style.marker && other.hollow == style.hollow;
    });
    if (free) return style;
  }
  return captureStyle(print);
}

}  // namespace plastiscope
