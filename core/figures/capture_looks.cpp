// Look of a capture: derived from its fingerprint alone, and adapted beside others so that they differ.
#include <algorithm>
#include <map>
#include <set>

#include "core/base/json.h"
#include "core/base/random.h"
#include "core/compare/reference_data.h"
#include "core/figures/parts.h"

namespace plastiscope {

std::string_view embeddedCaptureLooks();

namespace {

struct LookParts {
  std::vector<Colour> colours;
  std::vector<FamilyMark> marks;
  std::vector<bool> hollow;  // [marks]
};

const LookParts& lookParts() {
  static const LookParts kParts = [] {
    const Json root = parseJson(std::string(embeddedCaptureLooks()), "captures.json");
    LookParts looks;
    for (const Json& colour : root.at("colours"))
      looks.colours.push_back(
          colourNamed(colour.at("light").get<std::string>(), colour.at("dark").get<std::string>()));
    for (const Json& mark : root.at("marks")) {
      looks.marks.push_back({{}, markerNamed(mark.at("marker").get<std::string>())});
      looks.hollow.push_back(mark.at("hollow").get<bool>());
    }
    return looks;
  }();
  return kParts;
}

using Looks = std::vector<int>;

int colourOfLook(int look) {
  return look % kLookColours;
}

// Number of looks in `taken` with the colour of `look`, and the smallest such number over all colours.
std::ptrdiff_t commonness(int look, const Looks& taken) {
  return std::ranges::count(taken, colourOfLook(look), colourOfLook);
}
std::ptrdiff_t leastCommonness(const Looks& taken) {
  std::ptrdiff_t least = commonness(0, taken);
  for (int colour = 1; colour < kLookColours; ++colour) least = std::min(least, commonness(colour, taken));
  return least;
}

int withNextColour(int look) {
  return look - colourOfLook(look) + (look + 1) % kLookColours;
}
int withNextMark(int look) {
  return (look + kLookColours) % kLooks;
}

// Advances to the next mark until the look is not taken.
int withFreeMark(int look, const Looks& taken) {
  for (int tries = 0; tries < kLookMarks && std::ranges::count(taken, look) > 0; ++tries)
    look = withNextMark(look);
  return look;
}

}  // namespace

// Published models in order, so that all differ; captures by their fingerprint.
int captureLook(const std::string& digest) {
  if (const auto id = publishedIdOf(digest)) {
    const std::vector<ReferenceModel>& models = referenceModels();
    const auto found = std::ranges::find(models, *id, &ReferenceModel::id);
    const auto place = static_cast<int>(found - models.begin());
    return place % kLookColours + kLookColours * (place % kLookMarks);
  }
  std::uint64_t state = 0;
  for (const char c : digest) state = combine(state, mix64(static_cast<unsigned char>(c) + 1U));
  return static_cast<int>(state % kLooks);
}

int fittingLook(int wanted, const Looks& taken) {
  const std::ptrdiff_t least = leastCommonness(taken);
  while (commonness(wanted, taken) > least) wanted = withNextColour(wanted);
  return withFreeMark(wanted, taken);
}

std::vector<std::optional<int>> captureLooks(const std::vector<ComparedName>& models) {
  std::map<std::string, int> wanted, settled;  // by fingerprint: independent of the order
  for (const ComparedName& model : models) {
    if (!model.digest.empty())
      wanted.try_emplace(model.digest, model.look.value_or(captureLook(model.digest)));
  }
  // First those that can keep their look.
  const auto most = (static_cast<std::ptrdiff_t>(wanted.size()) - 1) / kLookColours;
  Looks taken;
  for (const auto& [digest, look] : wanted) {
    if (commonness(look, taken) > most || std::ranges::count(taken, look) > 0) continue;
    taken.push_back(settled[digest] = look);
  }
  for (const auto& [digest, look] : wanted) {
    if (!settled.contains(digest)) taken.push_back(settled[digest] = fittingLook(look, taken));
  }
  std::vector<std::optional<int>> looks;
  std::set<std::string> seen;
  for (const ComparedName& model : models) {
    std::optional<int>& look = looks.emplace_back();
    if (model.digest.empty()) continue;
    look = settled.at(model.digest);
    if (seen.insert(model.digest).second) continue;
    look = withFreeMark(*look, taken);
    taken.push_back(*look);
  }
  return looks;
}

SeriesStyle lookStyle(int look) {
  const LookParts& looks = lookParts();
  const auto mark = static_cast<std::size_t>(look / kLookColours);
  SeriesStyle style;
  style.colour = looks.colours.at(static_cast<std::size_t>(colourOfLook(look)));
  style.marker = looks.marks.at(mark).marker;
  style.hollow = looks.hollow.at(mark);
  style.line = {style.colour};
  if (style.hollow) style.line.dash = {4.5, 1.8};
  return style;
}

SeriesStyle captureStyle(const std::string& digest) {
  return lookStyle(captureLook(digest));
}

}  // namespace plastiscope
