#include "core/views/figure_caption.h"

#include <algorithm>
#include <set>

#include "core/analysis/row_choice.h"
#include "core/base/error.h"
#include "core/base/joined.h"
#include "core/base/json.h"
#include "core/views/study_facts.h"

namespace plastiscope {

namespace {

std::string counted(std::int64_t count, const std::string& one) {
  return withCommas(count) + " " + one + (count == 1 ? "" : "s");
}

std::string panelsText(const std::vector<std::string>& panels) {
  if (panels.size() == 1) return panels.front() + ".";
  std::string text;
  for (std::size_t i = 0; i < panels.size(); ++i) {
    const std::string letter(1, static_cast<char>('a' + i % 26));
    text += (i == 0 ? "(" : "; (") + letter + ")" + (panels[i].empty() ? "" : " " + panels[i]);
  }
  return text + ".";
}

// "SmolLM2-135M-Instruct (14 texts of up to 8,192 tokens, 102,400 in all; 270 heads)"
std::string inputText(const Study& study) {
  const StudyFacts facts = factsOf(study);
  std::vector<std::string> words;
  if (const std::int64_t texts = exampleCount(*study.analysis); texts > 0) {
    words.push_back(counted(texts, "text") + (texts == 1 ? " of " : " of up to ") +
                    counted(facts.window, "token"));
    std::int64_t tokens = 0;
    if (study.capture != nullptr)
      for (const CaptureExampleInfo& example : study.capture->info().examples) tokens += example.tokens;
    if (tokens > 0 && texts > 1) words.back() += ", " + withCommas(tokens) + " in all";
  }
  if (const std::size_t heads = headsOf(*study.analysis).size(); heads > 0)
    words.push_back(counted(static_cast<std::int64_t>(heads), "head"));
  const std::string rows = textOf(rowChoiceOf(settingsOf(*study.analysis)));
  if (!rows.empty()) words.push_back("rows: " + rows);
  const std::string name = facts.model.empty() ? study.title : facts.model;
  return name + (words.empty() ? "" : " (" + joined(words, {}, "; ") + ")");
}

// Number of bins of positions in the table of profiles; 0 if it is not there.
std::size_t binsOf(const AnalysisFile& analysis, ApKind kind) {
  const Table* profile = analysis.find(placeOf(kind).profile);
  if (profile == nullptr || profile->find("bin") == nullptr) return 0;
  const auto& bins = profile->integers("bin");
  return std::set<std::int64_t>(bins.begin(), bins.end()).size();
}

std::string pairsText(const AnalysisSettings& settings) {
  const std::string scope = settings.pairScope == "cross_example" ? "keys of two texts"
                            : settings.pairScope == "same_bucket" ? "keys of one bucket of one text"
                                                                  : "keys of one text";
  const std::string distance =
      settings.maxDistance > 0 ? ", at most " + counted(settings.maxDistance, "token") + " apart" : "";
  return (settings.pairs == 0 ? "all pairs" : "up to " + counted(settings.pairs, "pair")) + " of " + scope +
         distance;
}

std::string plasticityText(const AnalysisFile& analysis, ApKind kind) {
  const AnalysisSettings settings = settingsOf(analysis);
  const std::string of =
      kind == ApKind::Aligned
          ? "queries rotated to one position (estimator: " + settings.alignedEstimator + ")"
          : "queries of a bin of positions (variance: " + settings.variance + ")";
  const std::size_t bins = binsOf(analysis, kind);
  return "AP: attention plasticity of " + of + ", mean over " + pairsText(settings) +
         (bins > 0 ? " in each of " + counted(static_cast<std::int64_t>(bins), "bin") + " of positions" : "");
}

// "Intervals: 95 % over texts, over heads."
std::string intervalsText(const std::vector<std::string>& units) {
  const auto over = [](const std::string& unit) { return "over " + (unit == "examples" ? "texts" : unit); };
  return " Intervals: 95 %" + (units.empty() ? "" : " " + joined(units, over)) + ".";
}

// The sentence of all inputs where they agree, else one per input.
template <typename Sentence>
std::string common(const std::vector<std::shared_ptr<const Study>>& studies, const Sentence& sentence) {
  std::string text;
  std::vector<std::string> seen;
  for (const auto& study : studies) {
    if (!study->analysis->provenance.settings->is_object()) continue;  // published numbers
    const std::string own = sentence(*study->analysis);
    if (std::ranges::find(seen, own) != seen.end()) continue;
    seen.push_back(own);
    text += " " + own + ".";
  }
  return text;
}

}  // namespace

std::string draftCaption(const CaptionFacts& facts,
                         const std::vector<std::shared_ptr<const Study>>& studies) {
  std::string caption = panelsText(facts.panels);
  if (studies.empty()) return caption;
  caption += " " + joined(studies, [](const auto& study) { return inputText(*study); }, "; ") + ".";
  if (facts.plasticity)
    caption += common(studies, [&](const auto& analysis) { return plasticityText(analysis, facts.kind); });
  if (facts.intervals) caption += intervalsText(facts.over);
  return caption;
}

}  // namespace plastiscope
