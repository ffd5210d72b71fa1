// Styles of series: colour and marker of each model family (resources/themes/families.json, built into the
// program), shades and dashes of its models, lines with markers; looks of captures, derived from their
// fingerprint alone and adapted beside others so that they differ.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string_view>

#include "core/base/json.h"
#include "core/base/random.h"
#include "core/compare/reference_data.h"
#include "core/figures/parts.h"

namespace plastiscope {

std::string_view embeddedFamilies();
std::string_view embeddedCaptureLooks();

namespace {

std::map<std::string, FamilyMark> readFamilies() {
  std::map<std::string, FamilyMark> marks;
  const Json root = parseJson(std::string(embeddedFamilies()), "families.json");
  for (const auto& [name, mark] : root.items()) {
    const auto text = [&mark = mark](const char* key) { return mark.at(key).get<std::string>(); };
    marks[name] = {colourNamed(text("light"), text("dark")), markerNamed(text("marker"))};
  }
  return marks;
}

// Colour n of `count` models of a family: its colour and a darker one, or from dark to pale for more.
Colour shade(const Colour& colour, std::size_t n, std::size_t count) {
  if (count < 2 || (count == 2 && n == 0)) return colour;
  if (count == 2) return colour.mixed(Ink::Text, 0.45);
  const double place = static_cast<double>(n) / static_cast<double>(count - 1) - 0.5;
  return place < 0 ? colour.mixed(Ink::Text, -place) : colour.mixed(Ink::Ground, 0.9 * place);
}

}  // namespace

Marker markerNamed(const std::string& name) {
  static const std::map<std::string, Marker> kMarkers = {{"circle", Marker::Circle},
                                                         {"square", Marker::Square},
                                                         {"diamond", Marker::Diamond},
                                                         {"triangle", Marker::Triangle},
                                                         {"down-triangle", Marker::DownTriangle}};
  return kMarkers.at(name);
}

Colour colourNamed(const std::string& light, const std::string& dark) {
  const auto value = [](const std::string& hex) {
    return static_cast<std::uint32_t>(std::stoul(hex.substr(1), nullptr, 16));
  };
  return {value(light), value(dark)};
}

FamilyMark familyMark(const std::string& family) {
  static const std::map<std::string, FamilyMark> kMarks = readFamilies();
  std::string lower = family;
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(c < 128 ? std::tolower(c) : c); });
  const auto found = kMarks.find(lower);
  return found != kMarks.end() ? found->second : FamilyMark{Colour(0x7d858b, 0x9aa2a8), Marker::Ring};
}

std::string familyTitle(const std::string& family) {
  static const std::map<std::string, std::string> kTitles = {
      {"qwen3", "Qwen3"},          {"llama3", "Llama"},    {"llama", "Llama"},
      {"ministral3", "Ministral"}, {"mistral", "Mistral"}, {"smollm3", "SmolLM3"}};
  const auto found = kTitles.find(family);
  if (found != kTitles.end()) return found->second;
  return family.empty() ? "other" : richEscaped(family);
}

SeriesStyle seriesStyle(const Colour& colour, Marker marker) {
  return {colour, marker, false, {colour}};
}

SeriesStyle familyStyle(const std::string& family) {
  const FamilyMark mark = familyMark(family);
  return {mark.colour, mark.marker, mark.marker == Marker::Ring, {mark.colour}};
}

std::vector<SeriesStyle> seriesStyles(const std::vector<ComparedName>& models) {
  static const std::vector<Values> kDashes = {
      {}, {4.5, 1.8}, {1.3, 1.5}, {6, 1.8, 1.3, 1.8}, {8, 2.6}, {3, 1.4, 1, 1.4, 1, 1.4}};
  std::map<std::uint32_t, std::size_t> count, seen;  // models of a colour: all, so far
  for (const ComparedName& model : models) {
    if (model.digest.empty()) ++count[familyMark(model.family).colour.light];
  }
  const std::vector<std::optional<int>> looks = captureLooks(models);
  std::vector<SeriesStyle> styles;
  for (const ComparedName& model : models) {
    if (const auto& look = looks[styles.size()]) {
      styles.push_back(lookStyle(*look));
      continue;
    }
    const FamilyMark mark = familyMark(model.family);
    const std::size_t n = seen[mark.colour.light]++;
    SeriesStyle style;
    style.colour = shade(mark.colour, n, count[mark.colour.light]);
    style.marker = mark.marker;
    style.hollow = mark.marker == Marker::Ring || n % 2 == 1;
    style.line = {style.colour};
    style.line.dash = kDashes[styles.size() % kDashes.size()];
    styles.push_back(std::move(style));
  }
  return styles;
}

Texts shownNames(const std::vector<ComparedName>& models) {
  Texts names;
  for (const ComparedName& model : models) names.push_back(model.name);
  return withoutOwners(names);
}

double lastOf(const Values& values) {
  for (std::size_t i = values.size(); i-- > 0;) {
    if (std::isfinite(values[i])) return values[i];
  }
  return kMissing;
}

Box namesBeside(const Box& of, const Texts& names, const std::vector<SeriesStyle>& styles,
                const Values& ends) {
  constexpr std::size_t kLongest = 16;  // characters
  const std::vector<std::string> shown = shortNames(names, kLongest);
  TextMarks texts;
  std::size_t longest = 0;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!std::isfinite(ends[i])) continue;
    texts.x.push_back(0);
    texts.y.push_back(ends[i]);
    texts.texts.push_back(richEscaped(shown[i]));
    texts.ends.push_back(styles[i].colour);
    longest = std::max(longest, characters(shown[i]));
  }
  Box box;
  box.frame = Frame::None;
  box.x.labels = box.y.labels = box.x.tickMarks = box.y.tickMarks = false;
  box.y.low = of.y.low;
  box.y.high = of.y.high;
  const auto width = static_cast<double>(longest);
  box.width = {14 + 3.4 * width, 22 + 6.4 * width};
  box.marks.push_back({.kind = std::move(texts), .clip = false});
  return box;
}

Mark seriesMark(const Values& x, const Values& y, const SeriesStyle& style, const std::string& title,
                Length apart) {
  return {LineMark{x, y, style.line, style.mark(1.45), apart}, title};
}

Values placesOf(std::size_t count) {
  Values x(count);
  for (std::size_t i = 0; i < count; ++i) x[i] = static_cast<double>(i);
  return x;
}

Values shifted(Values places, double offset) {
  for (double& place : places) place += offset;
  return places;
}

double BarPlace::at(double part) const {
  const double width = 0.84 / static_cast<double>(members);
  return static_cast<double>(group) - 0.42 + static_cast<double>(member) * width + part * width;
}

void addBar(BarMarks& bars, const BarPlace& place, double value, const SeriesStyle& style,
            const std::string& number) {
  bars.left.push_back(place.left());
  bars.right.push_back(place.right());
  bars.bottom.push_back(0);
  bars.top.push_back(value);
  bars.fills.push_back(style.colour.faded(0.88));
  bars.feet.push_back(style.marker);
  bars.numbers.push_back(std::isfinite(value) ? number : "");
}

Colour taxonomyColour(std::size_t index) {
  // Queries blue and keys red as everywhere, both shifted to violet; they also differ in lightness.
  static const Colour kColours[] = {{0x6d3fc0, 0x9a6ff0},
                                    {0x4a9be0, 0x8cc8f5},
                                    {0xd9433d, 0xf0796a},
                                    {0x10b981, 0x34d399},
                                    {0x9ca3af, 0x9ca3af}};
  return kColours[std::min<std::size_t>(index, 4)];
}

// --- Looks of captures ----------------------------------------------------------------------------------

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

SeriesStyle groupStyle(const HeadGroup& group, std::size_t place) {
  const LookParts& looks = lookParts();
  const Colour own = colourNamed(group.colour, group.colour);
  const auto known = std::ranges::find(looks.colours, own.light, &Colour::light);
  return seriesStyle(known == looks.colours.end() ? own : *known,
                     looks.marks[place % looks.marks.size()].marker);
}

SeriesStyle captureStyle(const std::string& digest) {
  return lookStyle(captureLook(digest));
}

}  // namespace plastiscope
