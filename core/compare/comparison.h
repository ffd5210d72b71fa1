#pragma once
// Compares several analyses. A Comparison is made once; every table of comparison_tables.h is a pure function
// of it.
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/json_value.h"
#include "core/compare/reference_data.h"
#include "core/store/analysis_file.h"
#include "core/views/head_group.h"
#include "core/views/study_facts.h"

namespace plastiscope {

class TextReplicates;

// One analysis of a comparison.
struct ComparedModel {
  std::string name;    // unique; also names its columns
  StudyFacts facts;    // model, architecture, layers, head_dim, window, bucket size
  std::string family;  // published family if the model is recognised, else the architecture
  std::optional<ReferenceModel> reference;
  std::shared_ptr<const AnalysisFile> analysis;  // never null
  std::vector<HeadName> heads;                   // [heads] as in heads.csv
  std::vector<std::vector<double>> values;       // [metrics][heads], NaN = missing
  bool published = false;                        // only numbers of the thesis: `reference` is set, no heads
  std::optional<int> look = {};                  // as in ComparisonInput
  std::shared_ptr<const TextReplicates> replicates = {};  // never null
  std::int64_t bins = 0;                                  // of binned plasticity; 0 = not known
  std::shared_ptr<const AnalysisFile> whole = {};         // of all captured heads; never null
  std::string change = {};                                // from changeTexts()

  // Any measured column of heads.csv, compared or not; all missing if there is none.
  std::vector<double> column(const std::string& metric) const;  // [heads]
};

// Units resampled for the intervals of differences. ByHeads: a bootstrap over heads, which share their texts,
// so that its intervals are too narrow for other texts.
enum class DifferencesOver { ByTexts, ByHeads, ByTextsAndHeads };
constexpr std::array<const char*, 3> namesOf(DifferencesOver) {
  return {"texts", "heads", "texts-and-heads"};
}

struct ComparisonOptions {
  std::vector<std::string> metrics;  // columns of heads.csv; empty = all measured ones
  std::uint64_t seed = 0;
  int resamples = 1000;  // bootstrap over heads
  DifferencesOver interval = DifferencesOver::ByTexts;
  // Equivalence margin in the unit of the metrics; not set: 0.02 for AP, none for others.
  std::optional<double> margin = {};
  int depthPoints = 41;      // points on the common grid of relative depth 0..1
  bool commonHeads = false;  // only heads that all inputs have, if layers and heads agree
  // Only these heads of the first input, and the heads of the others that match them.
  std::optional<HeadGroup> group = {};
  ApKind plasticity = ApKind::Binned;  // wanted
};

// SameHead: L12H6 matches L12H6. RelativeDepth: matches the layer at the same relative depth and the captured
// head at the same share of that layer's heads.
enum class HeadMatching { SameHead, RelativeDepth };
constexpr std::array<const char*, 2> namesOf(HeadMatching) {
  return {"name", "depth"};
}

struct Comparison {
  std::vector<std::string> metrics;   // common to all inputs, in the order of heads.csv
  std::vector<ComparedModel> models;  // in order; the first is the baseline
  ComparisonOptions options;
  std::optional<HeadMatching> matching = {};  // not set: SameHead if all have the same layers and heads
  ShownPlasticity plasticity = {};            // common to all; published numbers are binned

  std::size_t metric(const std::string& column) const;  // UsageError names the nearest metric
  bool has(const std::string& column) const;
};

struct ComparisonInput {
  std::string name;                              // "" = from the model or file name
  std::string file;                              // for names and messages; may be empty
  std::shared_ptr<const AnalysisFile> analysis;  // never null
  std::optional<int> look = {};                  // assigned colour and mark (ComparedName)
};

// UsageError: no input, an unknown metric (names the nearest), or an input without heads of the group.
// InputError: an analysis without heads.
Comparison makeComparison(const std::vector<ComparisonInput>& inputs, const ComparisonOptions& options = {});

// The kind of plasticity that all its models have; `published`: shown with numbers of the thesis.
ShownPlasticity comparedPlasticity(const Comparison& comparison, ApKind wanted, bool published);

// The metric in the kind of plasticity that is shown.
std::string shownMetric(const Comparison& comparison, const std::string& metric);
// The analyses of the models that are not published ones.
std::vector<const AnalysisFile*> ownAnalyses(const Comparison& comparison);

// Name: natural order, and models of the thesis in its order, which orders checkpoints; Tokens: by window;
// Size: by heads times head_dim; Depth: by layers; Date: of the analysis. Ties by name.
enum class CompareOrder { Given, Name, Tokens, Size, Depth, Date };
constexpr std::array<const char*, 6> namesOf(CompareOrder) {
  return {"given", "name", "tokens", "size", "depth", "date"};
}
void sortModels(Comparison& comparison, CompareOrder order);

inline constexpr int kLookColours = 8, kLookMarks = 10,
                     kLooks = kLookColours * kLookMarks;  // colour + kLookColours * mark

// Shown name and look (colour and mark) of a model.
struct ComparedName {
  std::string name;
  std::string family;            // published family or architecture
  std::string digest = {};       // captureDigestOf(): determines its look; "" = look of the family
  std::optional<int> look = {};  // assigned look, 0 to kLooks - 1
};
// The first model with heads; null if all are published ones.
const ComparedModel* leaderOf(const Comparison& comparison);
ComparedName comparedName(const ComparedModel& model);
// Digest that identifies a capture and its analyses: 16 hex digits; "" if the capture is not known.
std::string captureDigestOf(const AnalysisFile& analysis);
// The model of the thesis that an analysis is of, or whose published numbers it has.
std::optional<ReferenceModel> referenceOf(const AnalysisFile& analysis, const StudyFacts& facts);

// A unique name per input, valid as a column name: the given name, else the model's name if no other input
// has that model, else the file's name, or its differing settings where names of files differ only in a
// number
// ("a", "a 2") and the settings tell all of them apart. Repeated names get " 2", " 3", ...
std::vector<std::string> uniqueInputNames(const std::vector<ComparisonInput>& inputs);
// RoPE changes between captures of one model, and interventions on heads: "RoPE base 10,000", "yarn RoPE
// factor 4", "without L12H6"; "" if there are none. Appended to the file's name in names of inputs.
std::vector<std::string> changeTexts(const std::vector<ComparisonInput>& inputs);  // [inputs]
// Settings by which captures and analyses can be told apart: of the capture (AnalysisProvenance::capture),
// and those of its analysis that are not the defaults; null without one.
Json tellingSettings(const Json& captureFacts, const Json& analysisSettings);
// Phrases for the settings that differ: "window 4k, yarn RoPE, factor 4"; "" for one that shares all. Of more
// than two, those with the value that most have tell it only if they tell nothing else. RoPE is compared
// among settings of one model.
std::vector<std::string> differenceTexts(const std::vector<Json>& settings);
// All of these settings in the same phrases.
std::string settingsText(const Json& settings);
// Names without the owner of a repository ("Qwen/Qwen3-0.6B"), if they stay distinct.
std::vector<std::string> withoutOwners(const std::vector<std::string>& names);
// Names also without their common start, up to a separator: "SmolLM3-3B-lc1", "SmolLM3-3B-lc2" -> "lc1",
// "lc2".
std::vector<std::string> withoutCommonStart(const std::vector<std::string>& names);
std::vector<std::string> withoutCommonEnd(const std::vector<std::string>& names);
// Names without owners, common start and, if needed, common end; shortens longer ones in the middle.
std::vector<std::string> shortNames(const std::vector<std::string>& names, std::size_t longest);
std::size_t characters(const std::string& text);  // of UTF-8 text

// Warnings that limit the comparison: different settings, windows, head choices or samplers.
std::vector<std::string> comparisonWarnings(const Comparison& comparison);

// Heads present in every input, ascending.
std::vector<HeadName> commonHeads(const Comparison& comparison);

}  // namespace plastiscope
