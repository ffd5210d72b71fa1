#include "core/jobs/converge_job.h"

#include <set>

#include "core/analysis/convergence.h"
#include "core/base/json.h"
#include "core/base/memory.h"
#include "core/jobs/analysis_identity.h"
#include "core/jobs/analyze_job.h"
#include "core/jobs/head_work.h"
#include "core/jobs/row_subset.h"

namespace plastiscope {

namespace {

constexpr std::uint64_t kSeeds = 10;
constexpr std::int64_t kMaxConvergingBins = 100000;  // same limit as the setting

// Some examples of a capture (none named: all). Window, buckets, counts and the grid of bins stay those of
// the whole.
class SomeExamples : public CaptureFile {
 public:
  SomeExamples(const CaptureFile& whole, const std::vector<std::int64_t>& examples)
      : m_whole(whole), m_examples(examples.begin(), examples.end()) {}
  const CaptureInfo& info() const override { return m_whole.info(); }
  const std::filesystem::path& path() const override { return m_whole.path(); }
  CapturedRows rows(const RowPlace& place) const override {
    if (m_examples.empty()) return m_whole.rows(place);
    return keptRows(m_whole.rows(place),
                    [this](std::int64_t example, std::int64_t) { return m_examples.contains(example); });
  }

 private:
  const CaptureFile& m_whole;
  std::set<std::int64_t> m_examples;
};

// Reports the progress of one of several analyses as a share of the whole.
class RunProgress : public Progress {
 public:
  RunProgress(Progress& whole, std::size_t run, std::size_t runs)
      : m_whole(whole), m_run(run), m_runs(runs) {}
  void advanced(const ProgressState& state) override {
    ProgressState shared = state;
    shared.stage = "converge";
    shared.done += m_run * state.total;
    shared.total *= m_runs;
    shared.etaSeconds = -1;
    m_whole.advanced(shared);
  }
  bool stopRequested() const override { return m_whole.stopRequested(); }

 private:
  Progress& m_whole;
  std::size_t m_run, m_runs;
};

struct PlannedRun {
  std::string what, value;
  bool reference;
  AnalysisSettings settings;
  std::vector<std::int64_t> examples;  // empty: all
};

std::vector<PlannedRun> planOf(const CaptureInfo& info, const AnalysisSettings& asked) {
  AnalysisSettings plain = asked;
  plain.bootstrap = 0;
  plain.estimate = AnalysisSettings().estimate;
  plain.interval = AnalysisSettings().interval;
  plain.decomposition = plain.projections = "off";
  std::vector<PlannedRun> plan;
  for (const std::int64_t pairs : pairSteps(asked.pairs)) {
    const std::string value = pairs == 0 ? "all" : std::to_string(pairs);
    PlannedRun& run = plan.emplace_back("pairs", value, pairs == asked.pairs, plain);
    run.settings.pairs = pairs;
  }
  const std::int64_t bins = gridOf(info, asked).bins();
  for (const std::int64_t count : binSteps(bins)) {
    if (count > kMaxConvergingBins) continue;
    PlannedRun& run = plan.emplace_back("bins", std::to_string(count), count == bins, plain);
    if (count != bins) run.settings.bins = std::to_string(count);
  }
  const auto examples = std::ssize(info.examples);
  for (const auto& some : exampleSteps(examples, asked.seed)) {
    const auto count = std::ssize(some);
    plan.push_back({"examples", std::to_string(count), count == examples, plain, some});
  }
  const bool draws = asked.pairs > 0 || asked.maxRows > 0;
  for (std::uint64_t seed = 0; draws && seed < kSeeds; ++seed) {
    PlannedRun& run = plan.emplace_back("seed", std::to_string(seed), seed == 0, plain);
    run.settings.seed = seed;
  }
  return plan;
}

}  // namespace

AnalysisFile convergeCapture(const CaptureFile& whole, const AnalysisSettings& settings, int threads,
                             Progress& progress) {
  settings.validate();
  const KeepFreedMemory keep;
  const auto chosen = subsetOf(whole, settings, ExampleNumbers::Dense);
  const CaptureFile& capture = *chosen;
  AnalysisSettings ofAllRows = settings;  // of the remaining examples
  useRowChoice(ofAllRows, {});
  const std::vector<PlannedRun> plan = planOf(capture.info(), ofAllRows);
  progress.started("converge", canonicalJson(settings.toJson()));
  std::vector<ConvergenceRun> runs;
  AnalysisFile file;
  for (std::size_t i = 0; i < plan.size(); ++i) {
    const PlannedRun& planned = plan[i];
    RunProgress part(progress, i, plan.size());
    const SomeExamples some(capture, planned.examples);
    AnalysisFile analysis = analyzeCapture(some, planned.settings, threads, part);
    if (planned.what == "pairs" && planned.reference) {
      AnalysisSettings told = resolvedSettings(planned.settings, whole.info());
      useRowChoice(told, rowChoiceOf(settings));
      file.provenance = analysis.provenance;
      file.provenance.capture = captureFacts(whole.info());
      file.provenance.settings = told.toJson();
      file.provenance.settingsHash = settingsHashOf(told);
    }
    runs.push_back({planned.what, planned.value, planned.reference, *analysis.find("heads")});
  }
  file.tables = {convergenceTable(runs)};
  return file;
}

}  // namespace plastiscope
