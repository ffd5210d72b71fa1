#include "core/causal/experiment_job.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/base/joined.h"
#include "core/base/json.h"
#include "core/base/path_text.h"
#include "core/causal/kept_runs.h"
#include "core/causal/probe_job.h"
#include "core/jobs/analysis_identity.h"
#include "core/jobs/capture_setup.h"

namespace fs = std::filesystem;

namespace plastiscope {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(OutcomeSum, nll, correct)

namespace {

// ---- rankings

ExperimentSet rankedHeads(const HeadRanking& ranking, const AnalysisFile& analysis, const ModelSpec& spec) {
  const Table* heads = analysis.find("heads");
  const Column* column = heads == nullptr ? nullptr : heads->find(ranking.column);
  if (column == nullptr || std::holds_alternative<std::vector<std::string>>(column->values)) {
    std::vector<std::string> names;
    for (const Column& each : heads == nullptr ? std::vector<Column>() : heads->columns)
      names.push_back(each.name);
    throw InputError({ranking.analysis, "table heads", "a numeric column " + ranking.column,
                      "none" + didYouMean(ranking.column, names)});
  }
  std::vector<std::pair<double, HeadName>> values;
  for (std::size_t row = 0; row < heads->rows(); ++row) {
    const double value = numberAt(*heads, ranking.column, row);
    if (!std::isnan(value))
      values.push_back({ranking.order == RankingOrder::Highest ? -value : value,
                        {heads->integers("layer")[row], heads->integers("head")[row]}});
  }
  std::ranges::sort(values);
  ExperimentSet set{SetKind::Ranking, ranking.name, -1, {}, {}};
  for (const auto& [value, head] : values) set.order.push_back(head);
  if (set.order.empty())
    throw InputError({ranking.analysis, "table heads", "values of " + ranking.column, "none"});
  requireHeads(set.order, spec);
  return set;
}

// Texts of the analysis that are tested, too: with the tokens of a probe, or the name of a text file. Cut
// texts cannot be recognised by their tokens.
std::int64_t testedTexts(const AnalysisFile& analysis, const ProbeSetup& setup, const CaptureRequest& run) {
  const Table* table = analysis.find("texts");
  std::int64_t count = 0;
  for (std::size_t row = 0; table != nullptr && row < table->rows(); ++row) {
    const auto tokens = static_cast<std::size_t>(table->integers("tokens")[row]);
    const auto sameTokens = [&](const ProbeText& probe) {
      if (probe.kind != ProbeKind::Text || probe.tokens.size() < tokens) return false;
      Sha256 hash;
      hash.add(std::as_bytes(std::span(probe.tokens).first(tokens)));
      return hash.hex() == table->texts("sha256")[row];
    };
    const auto sameName = [&](const fs::path& file) {
      return file.extension() == ".txt" && pathText(file.stem()) == table->texts("id")[row];
    };
    if (std::ranges::any_of(setup.probes, sameTokens) || std::ranges::any_of(run.corpus.files, sameName))
      ++count;
  }
  return count;
}

// ---- runs

constexpr std::size_t kChangesTogether = 64;  // results are kept after as many
constexpr const char* kUnchanged = "";

// The kept result of a text: [classes] by change; kUnchanged.
using TextSums = std::map<std::string, std::vector<OutcomeSum>>;

std::string stepOf(std::size_t probe) {
  return "text-" + std::to_string(probe);
}

TextSums keptSums(const KeptResults& kept, std::size_t probe) {
  return kept.read<TextSums>(stepOf(probe)).value_or(TextSums());
}

std::string keyOf(const ExperimentWork& work, std::size_t number) {
  const HeadChange& change = work.design.changes[number];
  return work.ways[change.way] + " " + headListText(change.heads);
}

// Indices of the changes whose results are missing.
std::vector<std::size_t> missingOf(const ExperimentWork& work, const TextSums& sums) {
  std::vector<std::size_t> missing;
  for (std::size_t i = 0; i < work.design.changes.size(); ++i)
    if (!sums.contains(keyOf(work, i))) missing.push_back(i);
  return missing;
}

std::int64_t textsIn(CapturePart part, std::int64_t texts) {
  return (texts - part.index + part.count - 1) / part.count;
}

// The steps that are missing in a part, each with some of the changes of a text. The arguments must outlive
// them.
std::vector<RunStep> remainingSteps(const ExperimentWork& work, const KeptResults& kept, CapturePart part,
                                    const RunChanges& run) {
  std::vector<RunStep> steps;
  for (std::size_t probe = part.index; probe < work.probes.size(); probe += part.count) {
    const std::vector<std::size_t> missing = missingOf(work, keptSums(kept, probe));
    for (std::size_t begin = 0; begin < missing.size(); begin += kChangesTogether) {
      const std::size_t end = std::min(begin + kChangesTogether, missing.size());
      const std::vector<std::size_t> some(missing.begin() + begin, missing.begin() + end);
      RunStep& step = steps.emplace_back();
      step.units = static_cast<double>(some.size());
      for (const std::size_t i : some) step.work += work.cost.empty() ? 1 : work.cost[i];
      step.work *= static_cast<double>(work.probes[probe].tokens.size());
      if (end == missing.size()) step.finished = {work.probes[probe].id};
      step.run = [&work, &kept, &run, probe, some](Progress& inside) {
        const ProbeClasses classes = classesOf(work.probes[probe]);
        const std::vector<Outcomes> outcomes = run(probe, some, inside);
        TextSums sums = keptSums(kept, probe);
        sums[kUnchanged] = sumsOf(classes, outcomes.at(0));
        for (std::size_t i = 0; i < some.size(); ++i)
          sums[keyOf(work, some[i])] = sumsOf(classes, outcomes.at(i + 1));
        kept.write(stepOf(probe), sums);
      };
    }
  }
  return steps;
}

// ---- a study of a model

class ModelExperiment {
 public:
  ModelExperiment(const ExperimentRequest& request, Progress& progress)
      : m_plan(request.plan),
        m_setup(prepareProbes(m_plan.probes, progress)),
        m_runner(m_setup.model, m_setup.engine, m_setup.forward, m_plan.probes.run.memoryLimit),
        m_origin(originOf("study", run(), m_setup)) {
    m_origin.settings.set("study", m_plan.settings());
    m_work = {m_setup.probes, designOf(progress), m_setup.settingsHash, {}, {}};
    describeWays(progress);
    const auto layers = static_cast<double>(spec().layerCount);
    for (const HeadChange& change : m_work.design.changes)
      m_work.cost.push_back((layers - static_cast<double>(change.heads.front().layer)) / layers);
  }

  const ExperimentWork& work() const { return m_work; }
  const OutcomeRunner& runner() const { return m_runner; }
  const TableOrigin& origin() const { return m_origin; }
  fs::path folder() const {
    fs::path out = m_plan.probes.out;
    if (!out.has_filename()) out = out.parent_path();
    return out += ".work";
  }

  std::vector<Outcomes> runChanges(std::size_t probe, std::span<const std::size_t> which,
                                   Progress& progress) {
    prepareText(probe, progress);
    std::vector<Change> changes = {nullptr};
    for (const std::size_t i : which) {
      const HeadChange& change = m_work.design.changes[i];
      changes.push_back(makeChange(m_work.design.ways[change.way], change.heads, spec(), m_input));
    }
    return m_runner.changed(m_work.probes[probe], changes, progress);
  }

  Json provenance() const {
    return provenanceOf(m_origin, spec(),
                        {{"probes", m_work.probes.size()},
                         {"changes", m_work.design.changes.size()},
                         {"settings_hash", m_work.settingsHash},
                         {"rankings", *m_rankings},
                         {"resampled",
                          {{"low, high", "texts: jackknife, Student's t"},
                           {"p_texts", "texts: sign flips"},
                           {"p_matched", "heads within layers"},
                           {"p_random", "heads"}}}});
  }

 private:
  const ModelSpec& spec() const { return m_setup.model->spec; }
  const CaptureRequest& run() const { return m_plan.probes.run; }

  ExperimentDesign designOf(Progress& progress) {
    SetRequest sets{m_plan, {}, {}, {}, {}};
    sets.candidates = headsWithAttention(spec());
    Json rankings = Json::array();
    for (const HeadRanking& ranking : m_plan.rankings) {
      const AnalysisFile analysis = readAnalysis(ranking.analysis);
      sets.rankings.push_back(rankedHeads(ranking, analysis, spec()));
      std::vector<HeadName> ranked = sets.rankings.back().order;
      std::ranges::sort(ranked);
      std::erase_if(sets.candidates,
                    [&](const HeadName& head) { return !std::ranges::binary_search(ranked, head); });
      m_origin.inputs.push_back(analysisSource(ranking.analysis, analysis.provenance));
      const std::string file = pathText(ranking.analysis);
      if (analysis.provenance.captureFingerprint != m_setup.model->fingerprint)
        progress.warned(file + " is an analysis of another model than the one tested");
      const std::int64_t tested = testedTexts(analysis, m_setup, run());
      if (tested > 0)
        progress.warned(file + " has " + std::to_string(tested) +
                        " of the tested texts: heads should be ranked on other texts than those they are "
                        "tested on");
      rankings.push_back({{"name", ranking.name}, {"analysis", file}, {"texts_tested", tested}});
    }
    m_rankings = rankings;
    for (const NamedHeads& each : m_plan.named)
      sets.named.push_back({SetKind::Named, each.name, -1, headsMeant(each.heads, spec()), {}});
    if (m_plan.singles == "all")
      sets.singles = sets.candidates;
    else if (m_plan.singles != "none")
      sets.singles = headsMeant(m_plan.singles, spec());
    std::vector<ExperimentWay> ways;
    for (const std::string& way : m_plan.ways) ways.push_back(ExperimentWay::parse(way));
    return designExperiment(sets, std::move(ways));
  }

  std::vector<HeadName> headsOf(WayKind kind) const {
    std::set<HeadName> heads;
    for (const HeadChange& change : m_work.design.changes)
      if (m_work.design.ways[change.way].kind == kind) heads.insert(change.heads.begin(), change.heads.end());
    return {heads.begin(), heads.end()};
  }

  void describeWays(Progress& progress) {
    for (const ExperimentWay& way : m_work.design.ways) {
      std::string key = way.text();
      if (way.kind == WayKind::Resample) key += " " + std::to_string(m_plan.seed);
      if (way.kind == WayKind::RopeBand && spec().positions != "rope")
        throw UsageError(way.text() + ": this model has no RoPE");
      if (way.kind == WayKind::Clamp) {
        m_origin.inputs.push_back(sourceOfFile(run().clampFrom));
        key += " " + m_origin.inputs.back().identity;
        for (KeyClamp& clamp : keyClamps(run().clampFrom, headsOf(WayKind::Clamp), *m_setup.model, progress))
          m_input.clamps[{clamp.at.layer, clamp.at.head}] = std::move(clamp);
      }
      m_work.ways.push_back(std::move(key));
    }
  }

  // Outputs of other texts for the changes of this one.
  void prepareText(std::size_t probe, Progress& progress) {
    m_input.tokens = std::ssize(m_work.probes[probe].tokens);
    const std::vector<HeadName> averaged = headsOf(WayKind::Mean), resampled = headsOf(WayKind::Resample);
    if (!averaged.empty() && m_input.means.empty()) m_input.means = meansOf(averaged, progress);
    if (resampled.empty() || m_prepared == probe) return;
    const std::size_t donor = donorOf(m_work.probes, probe, m_plan.seed);
    m_input.others = m_runner.outputs(m_work.probes[donor].tokens, resampled, progress);
    m_prepared = probe;
  }

  // Mean outputs over all texts by position, kept as the runs are.
  HeadOutputs meansOf(const std::vector<HeadName>& heads, Progress& progress) const {
    const KeptResults kept(folder(), m_work.settingsHash);
    const auto stepOf = [](const HeadName& head) { return "mean-" + head.text(); };
    HeadOutputs means;
    for (const HeadName& head : heads) {
      if (auto values = kept.read<std::vector<float>>(stepOf(head)))
        means[head] = std::make_shared<const std::vector<float>>(std::move(*values));
    }
    if (means.size() == heads.size()) return means;
    progress.told("averaging the outputs of " + withCommas(std::ssize(heads)) + " heads over " +
                  withCommas(std::ssize(m_work.probes)) + " texts");
    means = meanOutputs(m_runner, m_work.probes, heads, progress);
    for (const auto& [head, values] : means) kept.write(stepOf(head), *values);
    return means;
  }

  const ExperimentPlan& m_plan;
  ProbeSetup m_setup;
  OutcomeRunner m_runner;
  TableOrigin m_origin;
  JsonValue m_rankings;
  ExperimentWork m_work;
  WayInput m_input;
  std::size_t m_prepared = SIZE_MAX;  // text that m_input.others are for
};

}  // namespace

std::vector<ProbeSums> runTexts(const ExperimentWork& work, const fs::path& folder, CapturePart part,
                                const RunChanges& run, Progress& progress) {
  requireWritableFolderOf(folder / "text");
  const KeptResults kept(folder, work.settingsHash);
  const std::int64_t runs = textsIn(part, std::ssize(work.probes)) * std::ssize(work.design.changes);
  kept.run("study", "run", static_cast<double>(runs), remainingSteps(work, kept, part, run), progress);
  std::vector<ProbeSums> all(work.probes.size());
  for (std::size_t probe = 0; probe < work.probes.size(); ++probe) {
    const TextSums sums = keptSums(kept, probe);
    if (!sums.contains(kUnchanged) || !missingOf(work, sums).empty()) continue;
    all[probe].push_back(sums.at(kUnchanged));
    for (std::size_t i = 0; i < work.design.changes.size(); ++i)
      all[probe].push_back(sums.at(keyOf(work, i)));
  }
  return all;
}

ExperimentOutcome runExperiment(const ExperimentRequest& request, Progress& progress) {
  ModelExperiment experiment(request, progress);
  const ExperimentWork& work = experiment.work();
  const TableFolder folder(request.plan.probes.out, experiment.origin(), request.plan.probes.rules,
                           experimentTableNames());
  const std::int64_t texts = std::ssize(work.probes);
  if (folder.isFinished()) return {texts, texts, true, {}};
  const auto run = [&](std::size_t probe, std::span<const std::size_t> changes, Progress& inside) {
    return experiment.runChanges(probe, changes, inside);
  };
  const std::vector<ProbeSums> sums = runTexts(work, experiment.folder(), request.part, run, progress);
  const std::int64_t finished =
      std::ranges::count_if(sums, [](const ProbeSums& each) { return !each.empty(); });
  if (finished < texts) return {finished, texts, false, {}};
  const std::vector<MeasuredOutcome> outcomes = measuredOutcomes(work.probes, sums);
  for (const std::string& warning : powerWarnings(work.design, outcomes)) progress.warned(warning);
  ExperimentOutcome outcome{texts, texts, false, experimentTables(work.design, outcomes, request.plan.seed)};
  folder.write(outcome.tables, experiment.provenance());
  return outcome;
}

ExperimentEstimate estimateExperiment(const ExperimentRequest& request, Progress& progress) {
  ModelExperiment experiment(request, progress);
  const ExperimentWork& work = experiment.work();
  const KeptResults kept(experiment.folder(), work.settingsHash);
  ExperimentEstimate estimate{textsIn(request.part, std::ssize(work.probes)),
                              std::ssize(work.design.changes)};
  double tokens = 0;
  for (const RunStep& step : remainingSteps(work, kept, request.part, {})) {
    estimate.runs += static_cast<std::int64_t>(step.units);
    tokens += step.work;
  }
  const auto longest = std::ranges::max_element(work.probes, {}, &ProbeText::length);
  InnerProgress inside(progress);
  const RateMeter meter(1);
  experiment.runner().unchanged({&*longest, 1}, inside);
  estimate.seconds = meter.elapsedSeconds() * tokens / static_cast<double>(longest->tokens.size());
  return estimate;
}

}  // namespace plastiscope
