#pragma once
// Many analyses beside each other. A Comparison is made once from the analyses; every table of
// comparison_tables.h is a pure function of it.
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/compare/reference_data.h"
#include "core/store/analysis_file.h"
#include "core/views/study_facts.h"

namespace plastiscope {

class TextReplicates;

// One input.
struct ComparedModel {
  std::string name;    // unique, also the name of its columns
  StudyFacts facts;    // model, architecture, layers, head_dim, window, bucket size
  std::string family;  // of the reference data when the model is recognised, else the architecture
  std::optional<ReferenceModel> reference;
  std::shared_ptr<const AnalysisFile> analysis;  // never null
  std::vector<HeadName> heads;                   // [heads] as in heads.csv
  std::vector<std::vector<double>> values;       // [metrics][heads], NaN = missing
  bool published = false;        // numbers of the thesis alone: `reference` is there, and no heads
  std::optional<int> look = {};  // as in ComparisonInput
  std::shared_ptr<const TextReplicates> replicates = {};  // never null
  std::int64_t bins = 0;                                  // of the binned values of plasticity; 0 = not known
  std::shared_ptr<const AnalysisFile> whole = {};         // of all captured heads; never null
  std::string change = {};                                // as changeTexts says

  // Any measured column of heads.csv, also one that is not compared; all missing when there is none.
  std::vector<double> column(const std::string& metric) const;  // [heads]
};

// What is resampled for the intervals of differences. ByHeads: a bootstrap over heads, which share their
// texts, so that its intervals are too narrow for other texts.
enum class DifferencesOver { ByTexts, ByHeads, ByTextsAndHeads };
constexpr std::array<const char*, 3> namesOf(DifferencesOver) {
  return {"texts", "heads", "texts-and-heads"};
}

struct ComparisonOptions {
  std::vector<std::string> metrics;  // columns of heads.csv; empty = all measured ones
  std::uint64_t seed = 0;
  int resamples = 1000;  // bootstrap over heads
  DifferencesOver interval = DifferencesOver::ByTexts;
  // Differences below it do not matter, in the unit of the metrics; nothing: 0.02 for AP, none for others.
  std::optional<double> margin = {};
  int depthPoints = 41;  // of the common grid of relative depth 0..1
  bool commonHeads = false;  // values of the heads that all have, where all have the same layers and heads
  ApKind plasticity = ApKind::Binned;  // wanted
};

// SameHead: L12H6 is L12H6. RelativeDepth: the layer at the same share of the depth, the captured head at the
// same share of that layer's heads.
enum class HeadMatching { SameHead, RelativeDepth };
constexpr std::array<const char*, 2> namesOf(HeadMatching) {
  return {"name", "depth"};
}

struct Comparison {
  std::vector<std::string> metrics;   // of all inputs, in the order of heads.csv
  std::vector<ComparedModel> models;  // in the order compared; the first is what others are compared with
  ComparisonOptions options;
  std::optional<HeadMatching> matching = {};  // nothing: by name where all have the same layers and heads
  ShownPlasticity plasticity = {};            // of all: published numbers are binned

  std::size_t metric(const std::string& column) const;  // UsageError names the nearest metric
  bool has(const std::string& column) const;
};

struct ComparisonInput {
  std::string name;                              // "" = from the model or file name
  std::string file;                              // for names and messages; may be empty
  std::shared_ptr<const AnalysisFile> analysis;  // never null
  std::optional<int> look = {};                  // colour and mark that it is given (ComparedName)
};

// UsageError: no input, or an unknown metric (the nearest is named). InputError: an analysis without heads.
Comparison makeComparison(const std::vector<ComparisonInput>& inputs, const ComparisonOptions& options = {});

// What is shown of all of its models; `published`: beside numbers of the thesis.
ShownPlasticity comparedPlasticity(const Comparison& comparison, ApKind wanted, bool published);

// The metric in the kind that is shown, where that is another one than was asked for.
std::string shownMetric(const Comparison& comparison, const std::string& metric);
// Of the analyses of those that are not published.
std::vector<const AnalysisFile*> ownAnalyses(const Comparison& comparison);

// Name: numbers in names as numbers, and models of the thesis in its order, which orders checkpoints; Tokens:
// by window; Size: by heads times their size; Depth: by layers; Date: of the analysis. Equal ones by name.
enum class CompareOrder { Given, Name, Tokens, Size, Depth, Date };
constexpr std::array<const char*, 6> namesOf(CompareOrder) {
  return {"given", "name", "tokens", "size", "depth", "date"};
}
void sortModels(Comparison& comparison, CompareOrder order);

inline constexpr int kLookColours = 8, kLookMarks = 10,
                     kLooks = kLookColours * kLookMarks;  // colour + kLookColours * mark

// How a model is called and which look it gets.
struct ComparedName {
  std::string name;
  std::string family;      // architecture, or the published family where that is not known
  std::string print = {};  // of the capture (capturePrint): its look for life; "" = a look of the family
  std::optional<int> look = {};  // another one that it is given, 0 to kLooks - 1
};
// The first model with heads; null when all are published ones.
const ComparedModel* leaderOf(const Comparison& comparison);
ComparedName comparedName(const ComparedModel& model);
// What a capture is known by wherever it lies, the same for it and its analyses: 16 hex digits; "" where it
// does not say which capture it is.
std::string capturePrint(const AnalysisFile& analysis);
// The model of the thesis that an analysis is of, or whose published numbers it holds.
std::optional<ReferenceModel> referenceOf(const AnalysisFile& analysis, const StudyFacts& facts);

// One name an input, all different, usable as names of columns: as given, else the model's name where it is
// the only input of that model, else the file's name. Repeated names get " 2", " 3", ...
std::vector<std::string> uniqueInputNames(const std::vector<ComparisonInput>& inputs);
// What was done differently in captures of one model, and to heads in any: "RoPE base 10,000", "yarn RoPE
// factor 4", "without L12H6"; "" where nothing was. It follows the file's name in that of the input.
std::vector<std::string> changeTexts(const std::vector<ComparisonInput>& inputs);  // [inputs]
// As short as they can be told apart by: without the owner of a repository ("Qwen/Qwen3-0.6B") where that
// leaves them different.
std::vector<std::string> withoutOwners(const std::vector<std::string>& names);
// And without what all begin with, up to a separator: "SmolLM3-3B-lc1", "SmolLM3-3B-lc2" -> "lc1", "lc2".
std::vector<std::string> withoutCommonStart(const std::vector<std::string>& names);
std::vector<std::string> withoutCommonEnd(const std::vector<std::string>& names);
// Without owners, the common start and, where that is not enough, the common end; of what is still longer the
// middle is left out.
std::vector<std::string> shortNames(const std::vector<std::string>& names, std::size_t longest);
std::size_t characters(const std::string& text);  // of UTF-8

// What a reader must know before believing differences: settings, windows, head choices, samplers that
// differ.
std::vector<std::string> comparisonWarnings(const Comparison& comparison);

// Heads present in every input, ascending.
std::vector<HeadName> commonHeads(const Comparison& comparison);

}  // namespace plastiscope
