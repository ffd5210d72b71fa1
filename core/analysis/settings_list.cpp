// List of all settings of an analysis and their text form. To add one: its member in settings.h and its entry
// here.
#include <algorithm>
#include <sstream>

#include "core/analysis/settings.h"
#include "core/base/error.h"
#include "core/base/json.h"
#include "core/base/parsed_number.h"

namespace plastiscope {

namespace {

constexpr double kMaxTokens = 2147483648.0;
constexpr double kMaxPairCount = 4611686018427387904.0;

using S = AnalysisSettings;
constexpr AnalysisStage kNoStage = AnalysisStage::None, kGeometry = AnalysisStage::Geometry,
                        kPlasticity = AnalysisStage::Plasticity, kIntervals = AnalysisStage::Intervals,
                        kEvery = AnalysisStage::Every;
using Words = std::vector<std::string>;
const Words kNone, kOffOn = {"off", "on"};

std::vector<SettingInfo> makeList() {
  const char* plasticity = "Plasticity";
  const char* bins = "Query bins";
  const char* axes = "Components and axes";
  const char* aggregates = "Aggregates and maps";
  const char* extra = "Further tables";
  const char* work = "Work";
  const char* rows = "Rows";
  return {
      {"queries", plasticity, kPlasticity, &S::queries, Words{"both", "binned", "aligned"}, "", 0, 0,
       "Plasticity from queries put at one position (aligned), from all queries of a bin as they are "
       "(binned, as "
       "in the thesis), or both."},
      {"aligned_estimator", plasticity, kPlasticity, &S::alignedEstimator, Words{"disagreement", "gaussian"},
       "", 0, 0,
       "Estimator of aligned plasticity: how often queries of different texts disagree, or their mean and "
       "whole covariance."},
      {"rope", plasticity, kPlasticity, &S::rope, kNone, "JSON", 0, 0,
       "RoPE settings of a capture that does not state them, as in config.json, such as "
       "{\"rope_theta\": 10000}.",
       true},
      {"variance", plasticity, kPlasticity, &S::variance, Words{"thesis", "full", "empirical", "global"}, "",
       0, 0,
       "Model of the queries of a bin. thesis: a drift line and a variance per coordinate. full: the whole "
       "covariance. empirical: counted preferences, times n / (n - 1) for n queries as if they were "
       "independent (too low where they come from few texts). global: one mean and variance per coordinate "
       "for all bins."},
      {"pairs", plasticity, kPlasticity, &S::pairs, Words{"all"}, "a number", 1, kMaxPairCount,
       "Key pairs drawn per head and bin (per key bucket with pair_scope same_bucket); all takes "
       "every pair, without random numbers."},
      {"pair_scope", plasticity, kPlasticity, &S::pairScope,
       Words{"same_example", "cross_example", "same_bucket"}, "", 0, 0,
       "Which keys form a pair: two of one example, any two, or two of one example and one capture "
       "bucket, averaged bucket by bucket."},
      {"max_distance", plasticity, kPlasticity, &S::maxDistance, kNone, "a number", 0, kMaxTokens,
       "Most tokens between the keys of a pair; 0: any distance."},
      {"prefix", plasticity, kPlasticity, &S::prefix, Words{"start", "random"}, "", 0, 0,
       "Keys before the bin's start, or before a position drawn anew for each pair (sampled pairs "
       "only)."},
      {"orientation", plasticity, kPlasticity, &S::orientation, Words{"off", "legacy"}, "", 0, 0,
       "legacy flips every coordinate so that its mean over the buckets' mean keys is positive, "
       "before queries are modelled (older code; variance thesis depends on it)."},
      {"max_rows", plasticity, kEvery, &S::maxRows, kNone, "a number", 0, kMaxTokens,
       "Most query rows and most key rows of a head; more are subsampled at random, keyed by seed, "
       "layer, head and kind; 0: all."},
      {"bins", bins, kPlasticity, &S::bins, Words{"density", "buckets"}, "a number", 1, 100000,
       "Query bins over the window: about 50 queries each (at least 16 bins), the capture's buckets, "
       "or a number of equal width."},
      {"min_queries", bins, kPlasticity, &S::minQueries, kNone, "a number", 2, kMaxTokens,
       "Bins with fewer queries are missing."},
      {"min_pairs", bins, kPlasticity, &S::minPairs, kNone, "a number", 1, kMaxPairCount,
       "Bins with fewer eligible key pairs are missing."},
      {"tau", bins, kPlasticity, &S::tau, Words{"midpoint", "mean"}, "", 0, 0,
       "Query position of a bin: its midpoint, or the mean position of its queries."},
      {"components", axes, kGeometry, &S::components, kNone, "a number", 1, 65536,
       "Principal components kept."},
      {"pca_sign", axes, kGeometry, &S::pcaSign, Words{"dominant", "query"}, "", 0, 0,
       "Correlation with position that is made positive on a component: the larger one (thesis), or that of "
       "the queries (author's published outputs)."},
      {"pca_rows", axes, kGeometry, &S::pcaRows, Words{"both", "query", "key"}, "", 0, 0,
       "Rows that the components are made from: queries and keys together, or one kind."},
      {"taxonomy", axes, kGeometry, &S::taxonomy, Words{"thesis", "notes"}, "", 0, 0,
       "Rule of the classes: thesis (4 classes) or notes (5 classes; used for the percentages printed in the "
       "thesis)."},
      {"taxonomy_low", axes, kGeometry, &S::taxonomyLow, kNone, "a number from 0 to 1", 0, 1,
       "Correlation with position below which a component is no position component."},
      {"taxonomy_high", axes, kGeometry, &S::taxonomyHigh, kNone, "a number from 0 to 1", 0, 1,
       "Correlation with position above which a component is a position component."},
      {"b_axis", axes, kGeometry, &S::bAxis, Words{"centroid", "eigenvector"}, "", 0, 0,
       "Separation axis: along the gap between mean query and mean key (thesis), or the leading eigenvector "
       "of their differences (author's published outputs)."},
      {"pool_weights", axes, kEvery, &S::poolWeights, Words{"rows", "equal"}, "", 0, 0,
       "Weights of the pool of queries and keys: the same for every row, or the same for both kinds."},
      {"active_omega_r2", axes, kGeometry, &S::activeOmegaR2, kNone, "a number from 0 to 1", 0, 1,
       "Lowest omega_r2 at which a complement plane counts as rotating with position."},
      {"planes", axes, kGeometry, &S::planes, Words{"auto", "all"}, "a number", 0, 65536,
       "Planes outside {a, b} that are searched for rotation with position; auto: as many as fit 2^17 "
       "transform points per head, such as 8 at 4,096 tokens and none above 32,768; 0: none."},
      {"correlation_constant", axes, kEvery, &S::correlationConstant, Words{"missing", "zero"}, "", 0, 0,
       "Correlation of a constant coordinate: missing, or 0 (older code)."},
      {"weights_constant", axes, kPlasticity, &S::weightsConstant, Words{"missing", "uniform"}, "", 0, 0,
       "Component weights of a head without any drift: missing, or all the same (older code)."},
      {"weights", aggregates, kPlasticity, &S::weights, Words{"queries", "equal", "legacy"}, "", 0, 0,
       "Weights of the bins in ap_overall: their queries, all the same, or every cell of query bin "
       "and key bucket the same (legacy, with pair_scope same_bucket)."},
      {"map_cell", aggregates, kPlasticity, &S::mapCell, kNone, "a number", 0, kMaxTokens,
       "Side of a map cell in tokens; 0: the capture's bucket size."},
      {"map_min_count", aggregates, kNoStage, &S::mapMinCount, kNone, "a number", 0, kMaxPairCount,
       "Pairs below which views hide a map cell; tables keep all cells."},
      {"map_aggregation", aggregates, kPlasticity, &S::mapAggregation, Words{"pooled", "head_mean"}, "", 0, 0,
       "Map of a model: every pair weighs the same, or every head."},
      {"length_edges", aggregates, kPlasticity, &S::lengthEdges, kNone, "a list of positions", 0, kMaxTokens,
       "Edges of the length table in tokens, separated by commas."},
      {"placement", extra, kPlasticity, &S::placement, kOffOn, "", 0, 0,
       "Also split the drop of aligned plasticity into a part due to RoPE's placement of the vectors and a "
       "part due to their content."},
      {"salience", extra, kPlasticity, &S::salience, kOffOn, "", 0, 0,
       "Also split the rigidity (1 - AP) into the parts that the positions and the content of the keys fix."},
      {"decomposition", extra, kPlasticity, &S::decomposition, kOffOn, "", 0, 0,
       "Also split ap_drop into a position and a content part (variance thesis; three times the "
       "work). It does not separate position and content, because position counts as content within a bin: "
       "use placement for that."},
      {"anchor", extra, kPlasticity, &S::anchor, Words{"mean", "start"}, "", 0, 0,
       "Position at which the decomposition fixes the query: the mean position, or position 0."},
      {"bootstrap", extra, kIntervals, &S::bootstrap, kNone, "a number", 0, 10000,
       "Resamples over examples that give every measured column a 95 % interval (_low, _high); 0: "
       "none."},
      {"estimate", extra, kEvery, &S::estimate, Words{"plain", "jackknife"}, "", 0, 0,
       "Value of every measured column: as defined (plain), or corrected for the bias of few texts by "
       "leaving out examples (jackknife; the plain value is kept as _plain)."},
      {"interval", extra, kIntervals, &S::interval, Words{"percentile", "jackknife"}, "", 0, 0,
       "95 % intervals: percentiles of the bootstrap, which keep the bias, or Student's t about the "
       "jackknife's bias-corrected estimate, which needs no bootstrap."},
      {"jackknife_groups", extra, kIntervals, &S::jackknifeGroups, kNone, "a number", 2, 10000,
       "Most groups of examples that the jackknife leaves out one after the other; with fewer examples each "
       "is a group."},
      {"diagnostics", extra, kPlasticity, &S::diagnostics, Words{"auto", "all"}, "", 0, 0,
       "all: also compare variance modes full and empirical where that takes long "
       "(ap_full_minus_empirical)."},
      {"projections", extra, kGeometry, &S::projections, kOffOn, "", 0, 0,
       "Also write every row's coordinates on a, b and the first two components."},
      {"vector_dimensions", extra, kGeometry, &S::vectorDimensions, Words{"none", "all"},
       "a list of dimensions", 0, 0,
       "Raw dimensions written with the projections: none, all, or a list such as 0-3,9."},
      {"seed", work, kEvery, &S::seed, kNone, "a number", 0, 18446744073709551615.0,
       "Seed of everything drawn at random: pairs, rows, resamples."},
      {"heads", work, kEvery, &S::heads, kNone, "a list of heads", 0, 0,
       "Only these heads, such as L12H6,L3H0-7; empty: all."},
      {"layers", work, kEvery, &S::layers, kNone, "a list of layers", 0, 0,
       "Only these layers, such as 0-5,9; empty: all."},
      {"examples", rows, kEvery, &S::examples, kNone, "a list of texts", 0, 0,
       "Only the rows of these texts: numbers from 0, such as 0-3,7, or names; empty: all.", true},
      {"positions", rows, kEvery, &S::positions, kNone, "FIRST..LAST", 0, 0,
       "Only query and key rows at these positions, such as 0..2047, both included; empty: all.", true},
      {"token_types", rows, kEvery, &S::tokenTypes, kNone, "a list of types", 0, 0,
       "Only rows of tokens of these types: word_start, continuation, number, punctuation, space, "
       "other_script; empty: all.",
       true},
  };
}

// Parses the JSON type of the setting's default; counts may also be words ("all").
Json valueOf(const std::string& name, const std::string& text, const Json& standard) {
  const auto numberOr = [&text]<typename Number>(std::optional<Number> number) {
    return number ? Json(*number) : Json(text);
  };
  if (standard.is_array()) {
    Json list = Json::array();
    std::istringstream parts(text);
    for (std::string part; std::getline(parts, part, ',');) {
      const auto integer = parsedNumber<std::int64_t>(part);
      if (!integer)
        throw UsageError(settingOption(name) + ": expected whole numbers, found \"" + part + "\"");
      list.push_back(*integer);
    }
    return list;
  }
  if (standard.is_number_float()) return numberOr(parsedNumber<double>(text));
  if (!standard.is_number_integer()) return text;
  const auto integer = parsedNumber<std::int64_t>(text);
  if (integer || !standard.is_number_unsigned()) return numberOr(integer);
  return numberOr(parsedNumber<std::uint64_t>(text));  // a seed may be larger
}

std::string textOf(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  std::string text = canonicalJson(value);
  if (value.is_array()) text = text.substr(1, text.size() - 2);
  return text;
}

}  // namespace

std::span<const SettingInfo> settingList() {
  static const std::vector<SettingInfo> list = makeList();
  return list;
}

std::string settingOption(const std::string& name) {
  std::string option = "--" + name;
  std::replace(option.begin(), option.end(), '_', '-');
  return option;
}

SettingTexts settingTexts(const AnalysisSettings& settings) {
  SettingTexts texts;
  const Json values = settings.toJson();
  for (const SettingInfo& info : settingList()) texts[info.name] = "";  // for omitted settings
  for (const auto& [name, value] : values.items()) texts[name] = textOf(value);
  return texts;
}

AnalysisSettings settingsOf(const std::string& preset, const SettingTexts& texts) {
  Json settings = AnalysisSettings::preset(preset).toJson();
  for (const auto& [name, text] : texts) settings[name] = valueOf(name, text, settings.value(name, Json()));
  return AnalysisSettings::fromJson(settings);
}

std::vector<std::string> settingArguments(const std::string& preset, const AnalysisSettings& settings) {
  const SettingTexts before = settingTexts(AnalysisSettings::preset(preset)), now = settingTexts(settings);
  std::vector<std::string> arguments;
  if (preset != settingPresets().front().name) arguments = {"--preset", preset};
  for (const SettingInfo& info : settingList()) {
    if (now.at(info.name) == before.at(info.name)) continue;
    arguments.push_back(settingOption(info.name));
    arguments.push_back(now.at(info.name));
  }
  return arguments;
}

}  // namespace plastiscope
