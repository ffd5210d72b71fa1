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

// Described in settings_list.cpp, from which the options of the command line are also made.
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
  double activeOmegaR2 = 0.25;                      // from this value on a complement plane counts as active
  std::string planes = "auto";                      // auto, all, or a number of complement planes
  std::string correlationConstant = "missing";      // missing, zero
  std::string weightsConstant = "missing";          // missing, uniform
  std::string placement = "off", salience = "off";  // on: split the fall of aligned plasticity
  std::string decomposition = "off";                // on: adds no_position and content_frozen runs
  std::string anchor = "mean";                      // mean, start: position of queries with no_position
  std::int64_t mapCell = 0;                         // tokens; 0 = the capture's bucket size
  std::int64_t mapMinCount = 30;                    // pairs; default of views, not applied to tables
  std::string mapAggregation = "pooled";            // pooled, head_mean
  std::vector<std::int64_t> lengthEdges = {0, 8192, 16384, 32768, 65536, 131072};
  std::int64_t bootstrap = 0;             // resamples; 0 = none
  std::string estimate = "plain";         // plain, jackknife
  std::string interval = "percentile";    // percentile, jackknife
  std::int64_t jackknifeGroups = 100;     // maximum number of left-out groups
  std::string diagnostics = "auto";       // auto, all: diagnostics that may take long
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
  static AnalysisSettings preset(const std::string& name);  // name in settingPresets(); UsageError
  void validate() const;                                    // UsageError names the known values
};

// Stage that computes a column or that a setting affects.
enum class AnalysisStage {
  None,        // indices and counts; defaults of views
  Geometry,    // components, plane {a, b}, complement planes
  Plasticity,  // query model, pairs, maps, aggregates
  Intervals,   // columns added by resamples
  Every
};

// Stages to compute, so that a change of settings computes only affected values and takes the rest from an
// earlier analysis of the same capture.
struct AnalysisStages {
  bool geometry = true, plasticity = true, intervals = true;
  bool all() const { return geometry && plasticity; }
  bool none() const { return !geometry && !plasticity && !intervals; }
  bool has(AnalysisStage stage) const {
    return (geometry || stage != AnalysisStage::Geometry) &&
           (plasticity || stage != AnalysisStage::Plasticity);
  }
};

// Stages to compute for `now` if `before` was analysed. All if a setting that every stage depends on differs,
// or if intervals are requested and another setting differs.
AnalysisStages changedStages(const AnalysisSettings& before, const AnalysisSettings& now);

// Description of a setting, from which help, tool tips and options are made.
struct SettingInfo {
  using Member = std::variant<std::string AnalysisSettings::*, std::int64_t AnalysisSettings::*,
                              std::uint64_t AnalysisSettings::*, double AnalysisSettings::*,
                              std::vector<std::int64_t> AnalysisSettings::*>;
  std::string name;     // as in JSON; with hyphens, the option of the command line
  std::string group;    // heading of its group
  AnalysisStage stage;  // the only stage it affects
  Member member;
  std::vector<std::string> words;  // accepted words
  std::string form;                // other accepted values, such as "a number"; "" = words only
  double least = 0, most = 0;      // limits of a number
  std::string help;                // one sentence: effect and unit
  bool leftOut = false;            // omitted from JSON if empty
  std::string values() const;      // accepted values as text
};
// Settings in the order in which they are shown.
std::span<const SettingInfo> settingList();

// Named sets of settings; the first is the default.
struct SettingPreset {
  const char *name, *meaning;
  void (*apply)(AnalysisSettings& settings);
};
std::span<const SettingPreset> settingPresets();

// The value of `bins` if it is a number.
std::optional<std::int64_t> binCountOf(const AnalysisSettings& settings);

// Settings as text: options of the command line, fields of a form. Keys as in settingList(); missing ones are
// as in the preset.
using SettingTexts = std::map<std::string, std::string>;

std::string settingOption(const std::string& name);  // "pair_scope" -> "--pair-scope"
// Every setting as text; lists separated by commas.
SettingTexts settingTexts(const AnalysisSettings& settings);
// UsageError names the setting, the expected and the given value.
AnalysisSettings settingsOf(const std::string& preset, const SettingTexts& texts);
// Options that turn the preset into `settings`: "--bootstrap", "200", in the order of the list.
std::vector<std::string> settingArguments(const std::string& preset, const AnalysisSettings& settings);

}  // namespace plastiscope
