#include "core/analysis/settings.h"

#include <charconv>
#include <cmath>

#include "core/base/error.h"

namespace plastiscope {

namespace {

constexpr std::int64_t kMostBins = 100000;
constexpr std::int64_t kMostTokens = std::int64_t{1} << 31;

// Settings that take one of a few words. A word that a later release knows is not in the list.
struct Choice {
  const char* name;
  std::string AnalysisSettings::*value;
  std::vector<std::string> known;
};

const std::vector<Choice>& choices() {
  static const std::vector<Choice> list = {
      {"variance", &AnalysisSettings::variance, {"thesis", "full", "empirical"}},
      {"pair_scope", &AnalysisSettings::pairScope, {"same_example"}},
      {"tau", &AnalysisSettings::tau, {"midpoint", "mean"}},
      {"weights", &AnalysisSettings::weights, {"queries", "equal"}},
      {"b_axis", &AnalysisSettings::bAxis, {"centroid", "eigenvector"}},
      {"pca_sign", &AnalysisSettings::pcaSign, {"dominant", "query"}},
      {"taxonomy", &AnalysisSettings::taxonomy, {"thesis", "notes"}},
      {"pool_weights", &AnalysisSettings::poolWeights, {"rows", "equal"}},
      {"decomposition", &AnalysisSettings::decomposition, {"off", "on"}},
  };
  return list;
}

struct Text {
  const char* name;
  std::string AnalysisSettings::*value;
};
constexpr Text kTexts[] = {{"heads", &AnalysisSettings::heads}, {"layers", &AnalysisSettings::layers}};

struct Count {
  const char* name;
  std::int64_t AnalysisSettings::*value;
  std::int64_t least, most;
};
constexpr Count kCounts[] = {
    {"max_distance", &AnalysisSettings::maxDistance, 0, kMostTokens},
    {"min_queries", &AnalysisSettings::minQueries, 2, kMostTokens},
    {"min_pairs", &AnalysisSettings::minPairs, 1, std::int64_t{1} << 62},
    {"components", &AnalysisSettings::components, 1, 65536},
    {"map_cell", &AnalysisSettings::mapCell, 0, kMostTokens},
};

struct Real {
  const char* name;
  double AnalysisSettings::*value;
};
constexpr Real kReals[] = {{"taxonomy_low", &AnalysisSettings::taxonomyLow},
                           {"taxonomy_high", &AnalysisSettings::taxonomyHigh}};

std::string listText(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

[[noreturn]] void fail(const std::string& name, const std::string& expected, const std::string& found) {
  throw UsageError("analysis setting " + name + ": expected " + expected + ", found " + found);
}

std::optional<std::int64_t> wholeNumber(const std::string& text) {
  std::int64_t number = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), number);
  if (result.ec != std::errc() || result.ptr != text.data() + text.size()) return std::nullopt;
  return number;
}

// An integer, also when it is written as text.
std::int64_t integerOf(const std::string& name, const Json& value, const std::string& expected) {
  if (value.is_number_unsigned() && value.get<std::uint64_t>() > static_cast<std::uint64_t>(INT64_MAX)) {
    fail(name, expected, value.dump());
  }
  if (value.is_number_integer()) return value.get<std::int64_t>();
  if (value.is_string()) {
    if (const auto number = wholeNumber(value.get<std::string>())) return *number;
  }
  fail(name, expected, value.dump());
}

std::int64_t pairsOf(const Json& value) {
  if (value.is_string() && value.get<std::string>() == "all") return 0;
  const std::int64_t pairs = integerOf("pairs", value, "a number above 0 or \"all\"");
  if (pairs <= 0) fail("pairs", "a number above 0 or \"all\"", value.dump());
  return pairs;
}

std::vector<std::int64_t> edgesOf(const Json& value) {
  if (!value.is_array()) fail("length_edges", "a list of positions", value.dump());
  std::vector<std::int64_t> edges;
  for (const Json& edge : value) edges.push_back(integerOf("length_edges", edge, "a list of positions"));
  return edges;
}

std::uint64_t seedOf(const Json& value) {
  if (value.is_number_unsigned()) return value.get<std::uint64_t>();
  const std::int64_t seed = integerOf("seed", value, "a number of at least 0");
  if (seed < 0) fail("seed", "a number of at least 0", value.dump());
  return static_cast<std::uint64_t>(seed);
}

std::string textOf(const std::string& name, const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_integer()) return value.dump();  // "bins": 32, "layers": 5
  fail(name, "text", value.dump());
}

double realOf(const std::string& name, const Json& value) {
  if (!value.is_number()) fail(name, "a number", value.dump());
  return value.get<double>();
}

// Reads one entry; false when the name is not known.
bool readSetting(AnalysisSettings& settings, const std::string& name, const Json& value) {
  if (name == "pairs") return settings.pairs = pairsOf(value), true;
  if (name == "bins") return settings.bins = textOf(name, value), true;
  if (name == "length_edges") return settings.lengthEdges = edgesOf(value), true;
  if (name == "seed") return settings.seed = seedOf(value), true;
  for (const Choice& choice : choices()) {
    if (name == choice.name) return settings.*choice.value = textOf(name, value), true;
  }
  for (const Text& text : kTexts) {
    if (name == text.name) return settings.*text.value = textOf(name, value), true;
  }
  for (const Count& count : kCounts) {
    if (name == count.name) return settings.*count.value = integerOf(name, value, "a whole number"), true;
  }
  for (const Real& real : kReals) {
    if (name == real.name) return settings.*real.value = realOf(name, value), true;
  }
  return false;
}

void requireChoices(const AnalysisSettings& settings) {
  for (const Choice& choice : choices()) {
    const std::string& value = settings.*choice.value;
    bool known = false;
    for (const std::string& word : choice.known) known = known || word == value;
    if (!known) fail(choice.name, listText(choice.known), "\"" + value + "\"");
  }
}

void requireCounts(const AnalysisSettings& settings) {
  for (const Count& count : kCounts) {
    const std::int64_t value = settings.*count.value;
    if (value < count.least)
      fail(count.name, "at least " + std::to_string(count.least), std::to_string(value));
    if (value > count.most) fail(count.name, "at most " + std::to_string(count.most), std::to_string(value));
  }
  if (settings.pairs < 0) fail("pairs", "a number above 0 or \"all\"", std::to_string(settings.pairs));
}

}  // namespace

std::optional<std::int64_t> binCountOf(const AnalysisSettings& settings) {
  return wholeNumber(settings.bins);
}

Json AnalysisSettings::toJson() const {
  Json json;
  for (const Choice& choice : choices()) json[choice.name] = this->*choice.value;
  for (const Text& text : kTexts) json[text.name] = this->*text.value;
  for (const Count& count : kCounts) json[count.name] = this->*count.value;
  for (const Real& real : kReals) json[real.name] = this->*real.value;
  json["pairs"] = pairs == 0 ? Json("all") : Json(pairs);
  json["bins"] = bins;
  json["length_edges"] = lengthEdges;
  json["seed"] = seed;
  return json;
}

AnalysisSettings AnalysisSettings::fromJson(const Json& value) {
  if (!value.is_object())
    throw UsageError("analysis settings: expected a JSON object, found " + value.dump());
  AnalysisSettings settings;
  std::vector<std::string> names;
  const Json known = settings.toJson();
  for (const auto& [name, entry] : known.items()) names.push_back(name);
  for (const auto& [name, entry] : value.items()) {
    if (readSetting(settings, name, entry)) continue;
    const std::string nearest = nearestName(name, names);
    throw UsageError(
        "analysis setting \"" + name + "\" is not known" +
        (nearest.empty() ? ": known are " + listText(names) : ": did you mean " + nearest + "?"));
  }
  settings.validate();
  return settings;
}

AnalysisSettings AnalysisSettings::preset(const std::string& name) {
  AnalysisSettings settings;
  if (name == "thesis") return settings;
  if (name == "author") {
    settings.pcaSign = "query";
    settings.taxonomy = "notes";
    settings.bAxis = "eigenvector";
    return settings;
  }
  if (name == "rigorous") {
    settings.variance = "full";
    settings.pairs = 0;
    return settings;
  }
  throw UsageError("preset \"" + name + "\" is not known: expected thesis, author or rigorous");
}

void AnalysisSettings::validate() const {
  requireChoices(*this);
  requireCounts(*this);
  const auto bound = binCountOf(*this);
  if (bins != "density" && bins != "buckets" && (!bound || *bound < 1 || *bound > kMostBins)) {
    fail("bins", "density, buckets or a number from 1 to " + std::to_string(kMostBins), "\"" + bins + "\"");
  }
  if (!(taxonomyLow >= 0 && taxonomyLow <= taxonomyHigh && taxonomyHigh <= 1)) {
    fail("taxonomy_low, taxonomy_high", "0 <= low <= high <= 1",
         std::to_string(taxonomyLow) + " and " + std::to_string(taxonomyHigh));
  }
  if (decomposition == "on" && variance != "thesis") {
    throw UsageError("analysis setting decomposition: expected variance thesis, found " + variance);
  }
  if (lengthEdges.size() < 2)
    fail("length_edges", "at least two positions", std::to_string(lengthEdges.size()));
  for (std::size_t i = 0; i < lengthEdges.size(); ++i) {
    if (lengthEdges[i] < 0 || lengthEdges[i] > kMostTokens ||
        (i > 0 && lengthEdges[i] <= lengthEdges[i - 1])) {
      fail("length_edges", "ascending positions of at least 0", std::to_string(lengthEdges[i]));
    }
  }
}

}  // namespace plastiscope
