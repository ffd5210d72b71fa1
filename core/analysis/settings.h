#pragma once
// Settings of an analysis (method.md, Defaults). Plain values, with conversion from and to JSON.
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "core/base/json_value.h"

namespace plastiscope {

// What each means stands in settings_list.cpp, which also makes the options of the command line.
struct AnalysisSettings {
  std::string queries = "both";                   // both, binned, aligned
  std::string alignedEstimator = "disagreement";  // disagreement, gaussian
  std::string rope;                               // JSON of RoPE settings for captures that do not state them
  std::string variance = "thesis";                // thesis, full, empirical, global
  std::int64_t pairs = 256;                       // per (head, bin), or per key bucket of it; 0 = all
  std::string pairScope = "same_example";         // same_example, cross_example, same_bucket
  std::int64_t maxDistance = 0;                   // tokens between the keys of a pair; 0 = no limit
  std::string prefix = "start";                   // start, random
  std::string orientation = "off";                // off, legacy
  std::int64_t maxRows = 0;                       // rows of a head and kind; 0 = all
  std::string bins = "density";                   // density, buckets, or a number
  std::int64_t minQueries = 20, minPairs = 32;
  std::string tau = "midpoint";      // midpoint, mean
  std::string weights = "queries";   // queries, equal, legacy
  std::string bAxis = "centroid";    // centroid, eigenvector
  std::string pcaSign = "dominant";  // dominant, query
  std::string pcaRows = "both";      // both, query, key
  std::string taxonomy = "thesis";   // thesis, notes
  double taxonomyLow = 0.3, taxonomyHigh = 0.7;
  std::int64_t components = 10;
  std::string poolWeights = "rows";                 // rows, equal
  double activeOmegaR2 = 0.25;                      // a complement plane from here on counts as active
  std::string planes = "auto";                      // auto, all, or a number of complement planes
  std::string correlationConstant = "missing";      // missing, zero
  std::string weightsConstant = "missing";          // missing, uniform
  std::string placement = "off", salience = "off";  // on: why aligned plasticity falls
  std::string decomposition = "off";                // on: also no_position and content_frozen runs
  std::string anchor = "mean";                      // mean, start: where no_position holds the query
  std::int64_t mapCell = 0;                         // tokens; 0 = the capture's bucket size
  std::int64_t mapMinCount = 30;                    // pairs; a view's default, not applied to tables
  std::string mapAggregation = "pooled";            // pooled, head_mean
  std::vector<std::int64_t> lengthEdges = {0, 8192, 16384, 32768, 65536, 131072};
  std::int64_t bootstrap = 0;             // resamples; 0 = none
  std::string estimate = "plain";         // plain, jackknife
  std::string interval = "percentile";    // percentile, jackknife
  std::int64_t jackknifeGroups = 100;     // at most, of examples that are left out together
  std::string diagnostics = "auto";       // auto, all: what of the diagnostics may cost time
  std::string projections = "off";        // off, on
  std::string vectorDimensions = "none";  // none, all, or a list such as 0-3,9
  std::uint64_t seed = 0;
  std::string heads, layers;                    // "" = all
  std::string examples, positions, tokenTypes;  // "" = all (row_choice.h)

  bool leavesOut() const { return estimate == "jackknife" || interval == "jackknife"; }
  bool resamples() const { return bootstrap > 0 || leavesOut(); }

  // Names as in settingList(); pairs is "all" or a number, bins a word or a number.
  Json toJson() const;
  static AnalysisSettings fromJson(const Json& value);      // UsageError for unknown names or values
  static AnalysisSettings preset(const std::string& name);  // of settingPresets(); UsageError
  void validate() const;                                    // UsageError naming the known values
};

// What computes a column, and what a setting decides.
enum class AnalysisStage {
  None,        // places and counts; defaults of views
  Geometry,    // components, plane {a, b}, complement planes
  Plasticity,  // query model, pairs, maps, aggregates
  Intervals,   // columns that resamples add
  Every
};

// Which stages are to be computed, so that a change of settings computes only what it changes and takes the
// rest from an earlier analysis of the same capture.
struct AnalysisStages {
  bool geometry = true, plasticity = true, intervals = true;
  bool all() const { return geometry && plasticity; }
  bool none() const { return !geometry && !plasticity && !intervals; }
  bool has(AnalysisStage stage) const {
    return (geometry || stage != AnalysisStage::Geometry) &&
           (plasticity || stage != AnalysisStage::Plasticity);
  }
};

// What has to be computed when `before` was analysed and `now` is wanted. Everything where a setting that
// every stage depends on differs, or where intervals are wanted and more than those differs.
AnalysisStages changedStages(const AnalysisSettings& before, const AnalysisSettings& now);

// One setting as data: help, tool tips and options are made of it.
struct SettingInfo {
  using Member = std::variant<std::string AnalysisSettings::*, std::int64_t AnalysisSettings::*,
                              std::uint64_t AnalysisSettings::*, double AnalysisSettings::*,
                              std::vector<std::int64_t> AnalysisSettings::*>;
  std::string name;     // as in JSON; with hyphens, the option of the command line
  std::string group;    // what it belongs to, as a heading
  AnalysisStage stage;  // that it decides alone
  Member member;
  std::vector<std::string> words;  // the words it takes
  std::string form;                // what else it takes, such as "a number"; empty: the words alone
  double least = 0, most = 0;      // of a number
  std::string help;                // one sentence: what it decides, and the unit
  bool leftOut = false;            // from JSON, while it is empty
  std::string values() const;      // what may be given, for a person
};
// In the order in which they are shown.
std::span<const SettingInfo> settingList();

// Named choices of settings; the first is the default.
struct SettingPreset {
  const char *name, *meaning;
  void (*apply)(AnalysisSettings& settings);
};
std::span<const SettingPreset> settingPresets();

// The number of `bins` when it is one.
std::optional<std::int64_t> binCountOf(const AnalysisSettings& settings);

// Settings as a person writes them: options of the command line, fields of a form.
// By the names of settingList(); those that are missing are as in the preset.
using SettingTexts = std::map<std::string, std::string>;

std::string settingOption(const std::string& name);  // "pair_scope" -> "--pair-scope"
// Every setting as it would be given; lists separated by commas.
SettingTexts settingTexts(const AnalysisSettings& settings);
// UsageError that names the setting, what is expected and what was found.
AnalysisSettings settingsOf(const std::string& preset, const SettingTexts& texts);
// The options that make `settings` from the preset: "--bootstrap", "200", in the order of the list.
std::vector<std::string> settingArguments(const std::string& preset, const AnalysisSettings& settings);

}  // namespace plastiscope
