#include "core/jobs/analyze_job.h"

#include <map>
#include <optional>
#include <span>

#include "core/analysis/bootstrap.h"
#include "core/analysis/head_analysis.h"
#include "core/analysis/tables.h"
#include "core/base/error.h"
#include "core/base/json.h"
#include "core/base/memory.h"
#include "core/base/path_text.h"
#include "core/base/version.h"
#include "core/jobs/analysis_identity.h"
#include "core/jobs/head_work.h"
#include "core/jobs/parallel.h"
#include "core/jobs/row_subset.h"
#include "core/store/capture_parts.h"
#include "core/store/capture_writer.h"

namespace plastiscope {

namespace {

CaptureFrame frameFor(const CaptureInfo& info, const AnalysisSettings& settings) {
  CaptureFrame frame = frameOf(info);
  frame.alignedBins = alignedBinsOf(info, settings);
  return frame;
}

// A capture and the settings of its analysis.
struct Task {
  const CaptureFile& capture;
  const AnalysisSettings& settings;
  int threads;
  DamagedHeads damaged;
  Progress& progress;
};

class Analysis {
 public:
  // `heads`: the table of an earlier analysis from which columns are taken, or null.
  Analysis(const Task& task, const AnalysisStages& stages, const Table* heads)
      : m_task(task),
        m_info(task.capture.info()),
        m_settings(task.settings),
        m_stages(stages),
        m_earlierHeads(heads),
        m_frame(frameFor(m_info, m_settings)),
        m_grid(gridOf(m_info, m_settings)),
        m_work(chooseHeadWork(m_info, m_settings)),
        m_resamples(resamplesOf(m_settings, std::ssize(m_info.examples))),
        m_groups(leaveOut(std::ssize(m_info.examples), m_settings.jackknifeGroups)) {}

  void run() {
    m_results.resize(m_work.heads);
    m_samples.resize(m_settings.resamples() ? m_work.heads : 0);
    m_leftOut.resize(m_stages.plasticity && !m_settings.leavesOut() ? m_work.heads : 0);
    m_warnings.resize(m_work.groups.size());
    m_problem.resize(m_work.heads);
    UnitCounter counter(m_task.progress, "analyze", "head", m_work.heads);
    parallelFor(m_work.groups.size(), m_task.threads,
                [&](std::size_t i) { analyzeGroup(m_work.groups[i], m_warnings[i], counter); });
    m_task.progress.throwIfStopped();
    leaveOutDamaged();
    for (auto* samples : {&m_samples, &m_leftOut}) fillUp(*samples);
  }

  const std::vector<HeadSamples>& samples() const { return m_samples; }
  // Values without each group of texts: all sampled columns if the jackknife was requested, else those over
  // texts; empty if the plasticity was not computed.
  const std::vector<HeadSamples>& leftOut() const { return m_settings.leavesOut() ? m_samples : m_leftOut; }
  const Resamples& groups() const { return m_groups; }
  const Resamples& resamples() const { return m_resamples; }
  std::vector<HeadResult> takeResults() { return std::move(m_results); }
  std::vector<std::string> warnings() const {
    std::vector<std::string> all;
    for (const auto& group : m_warnings) all.insert(all.end(), group.begin(), group.end());
    return all;
  }

 private:
  // The rows, or nothing if they are damaged and left out; stores the reason for each slot.
  std::optional<VectorRows> readable(const RowPlace& place, std::span<const std::size_t> slots,
                                     std::vector<std::string>& warnings) {
    try {
      return readRows(m_task.capture, place, m_settings, warnings);
    } catch (const InputError& error) {
      if (m_task.damaged == DamagedHeads::Refuse) throw;
      for (const std::size_t slot : slots) m_problem[slot] = error.what();
      return std::nullopt;
    }
  }

  // Fills columns that only some heads have with missing values.
  static void fillUp(std::vector<HeadSamples>& samples) {
    for (std::size_t c = 0; !samples.empty() && c < samples.front().values.size(); ++c) {
      std::size_t count = 0;
      for (const HeadSamples& head : samples) count = std::max(count, head.values[c].size());
      for (HeadSamples& head : samples) head.values[c].resize(count, kMissing);
    }
  }

  void leaveOutDamaged() {
    std::size_t kept = 0;
    for (std::size_t slot = 0; slot < m_work.heads; ++slot) {
      if (!m_problem[slot].empty()) continue;
      if (kept != slot) {
        m_results[kept] = std::move(m_results[slot]);
        for (auto* samples : {&m_samples, &m_leftOut}) {
          if (!samples->empty()) (*samples)[kept] = std::move((*samples)[slot]);
        }
      }
      ++kept;
    }
    if (kept == 0) throw InputError(m_problem.front());
    m_results.resize(kept);
    for (auto* samples : {&m_samples, &m_leftOut}) {
      if (!samples->empty()) samples->resize(kept);
    }
    for (std::size_t g = 0; g < m_work.groups.size(); ++g) {
      const KeyHeadGroup& group = m_work.groups[g];
      for (std::size_t i = 0; i < group.slot.size(); ++i) {
        if (const std::string& problem = m_problem[group.slot[i]]; !problem.empty())
          m_warnings[g].push_back(HeadName{group.heads[i].layer, group.heads[i].head}.text() +
                                  " was left out: " + problem);
      }
    }
  }

  void analyzeGroup(const KeyHeadGroup& group, std::vector<std::string>& warnings, UnitCounter& counter) {
    m_task.progress.throwIfStopped();
    auto readKeys = readable({group.heads.front().layer, group.kvHead, RowSet::Key}, group.slot, warnings);
    if (!readKeys) return;
    const HeadKeys keys(std::move(*readKeys));
    for (std::size_t i = 0; i < group.heads.size(); ++i) {
      const HeadId& place = group.heads[i];
      const auto readQueries =
          readable({place.layer, place.head, RowSet::Query}, std::span(&group.slot[i], 1), warnings);
      if (!readQueries) continue;
      const VectorRows& queries = *readQueries;
      if (queries.headDim() != keys.rows.headDim()) {
        throw InputError("layer " + std::to_string(place.layer) +
                         ": expected queries and keys of one length, found " +
                         std::to_string(queries.headDim()) + " and " + std::to_string(keys.rows.headDim()));
      }
      const std::size_t slot = group.slot[i];
      const HeadInput input{place, m_frame, queries, keys, m_grid, m_settings, m_task.progress, &m_groups};
      m_results[slot] = analyzeHeadStages(input, m_stages, earlierBiasWindow(slot));
      m_results[slot].dense = isDense(m_info, place.layer, place.head);
      if (m_stages.plasticity) addSoftmax(m_results[slot], m_task.capture, input);
      if (m_stages.geometry) addAttention(m_results[slot], m_task.capture, m_task.progress, m_groups);
      const HeadSamples overTexts = alignedSamples(m_results[slot], m_settings, m_groups);
      if (m_settings.resamples()) {
        HeadSamples& samples = m_samples[slot] = bootstrapHead(input, m_resamples);
        if (m_settings.interval == "jackknife" && m_stages.all())
          samples.diagnostics = diagnosticsSamples(input, m_results[slot], m_groups);
        for (std::size_t c = 0; m_settings.leavesOut() && c < samples.values.size(); ++c)
          if (samples.values[c].empty()) samples.values[c] = overTexts.values[c];
      }
      if (!m_leftOut.empty()) m_leftOut[slot] = overTexts;
      counter.finished();
    }
  }

  double earlierBiasWindow(std::size_t slot) const {
    const Column* column = m_earlierHeads == nullptr ? nullptr : m_earlierHeads->find("bias_window");
    const auto* values = column == nullptr ? nullptr : std::get_if<std::vector<double>>(&column->values);
    return values != nullptr && slot < values->size() ? (*values)[slot] : kMissing;
  }

  const Task& m_task;
  const CaptureInfo& m_info;
  const AnalysisSettings& m_settings;
  AnalysisStages m_stages;
  const Table* m_earlierHeads;
  CaptureFrame m_frame;
  BinGrid m_grid;
  HeadWork m_work;
  Resamples m_resamples, m_groups;
  std::vector<HeadResult> m_results;                 // by slot
  std::vector<HeadSamples> m_samples, m_leftOut;     // by slot, or none
  std::vector<std::vector<std::string>> m_warnings;  // by group
  std::vector<std::string> m_problem;                // by slot; why a head cannot be read
};

// The analysis with all tables read: itself, or a copy stored in `whole`; null if a table is damaged.
const AnalysisFile* wholeOf(const AnalysisFile* earlier, std::optional<AnalysisFile>& whole) {
  if (earlier == nullptr || !earlier->unread) return earlier;
  try {
    return &whole.emplace(wholeAnalysis(*earlier));
  } catch (const InputError&) {
    return nullptr;
  }
}

// All stages, except those that an earlier analysis of the same capture by this version has already.
AnalysisStages stagesToCompute(const AnalysisFile* earlier, const CaptureInfo& info,
                               const AnalysisSettings& wanted) {
  if (earlier == nullptr || !isOfThisVersion(earlier->provenance) || !belongsTo(earlier->provenance, info)) {
    return {};
  }
  // Versions without aligned plasticity left it out under the same settings.
  const Table* heads = earlier->find("heads");
  if (wanted.queries != "binned" && (heads == nullptr || heads->find("ap_aligned") == nullptr)) return {};
  try {
    return changedStages(AnalysisSettings::fromJson(earlier->provenance.settings), wanted);
  } catch (const UsageError&) {
    return {};  // settings unknown to this version
  }
}

constexpr const char* kAligned = "aligned plasticity";

// Warnings about the plasticity, if it was not computed again.
std::vector<std::string> earlierWarnings(const AnalysisFile& earlier) {
  std::vector<std::string> kept;
  for (const std::string& warning : earlier.provenance.warnings)
    if (warning.starts_with(kSparseRanges) || warning.starts_with(kAligned)) kept.push_back(warning);
  return kept;
}

// Warnings about ranges with few bins, heads without aligned values, and heads with an unusual number of
// aligned bins.
std::vector<std::string> plasticityWarnings(const std::vector<HeadResult>& heads, const CaptureFrame& frame,
                                            const AnalysisSettings& settings) {
  std::vector<std::string> warnings;
  if (settings.queries != "aligned") {
    if (const std::string sparse = sparseRangesWarning(heads); !sparse.empty()) warnings.push_back(sparse);
  }
  if (settings.queries == "binned") return warnings;
  std::map<std::string, std::int64_t> missing;
  for (const HeadResult& head : heads) {
    if (!head.aligned.missing.empty()) ++missing[head.aligned.missing];
  }
  for (const auto& [reason, count] : missing)
    warnings.push_back(kAligned + std::string(" is missing for ") + withCommas(count) + " heads: " + reason);
  const std::int64_t usual = CaptureFrame().alignedBins;
  if (settings.bins == "density" && frame.alignedBins < usual && missing.empty())
    warnings.push_back(kAligned + std::string(" has ") + std::to_string(frame.alignedBins) +
                       " bins instead of " + std::to_string(usual) + ", because few queries were captured");
  return warnings;
}

struct Computed {
  std::vector<Table> tables;
  std::vector<std::string> warnings;
};

// Warning about resamples of a capture with only one example; else "".
std::string oneExampleWarning(const AnalysisSettings& settings) {
  if (settings.leavesOut())
    return "jackknife: with one example there is nothing to leave out; corrected values and intervals are "
           "missing";
  return "bootstrap: with one example every resample is the same; the intervals carry no information";
}

// Nothing if the tables of `earlier` for the stages left out do not fit.
std::optional<Computed> compute(const Task& task, const AnalysisStages& stages, const AnalysisFile* earlier) {
  const AnalysisSettings& settings = task.settings;
  const CaptureInfo& info = task.capture.info();
  Analysis analysis(task, stages, stages.all() ? nullptr : earlier->find("heads"));
  analysis.run();
  Computed computed{{}, analysis.warnings()};
  const Estimator estimator(analysis.resamples());
  std::vector<HeadResult> heads = analysis.takeResults(), plain;
  const std::vector<std::string> told = stages.plasticity
                                            ? plasticityWarnings(heads, frameFor(info, settings), settings)
                                            : earlierWarnings(*earlier);
  computed.warnings.insert(computed.warnings.end(), told.begin(), told.end());
  const bool corrects = settings.estimate == "jackknife";
  if (corrects) {
    plain = heads;
    correctHeads(heads, analysis.samples(), estimator, settings);
  }
  TableContext context = tableContextOf(task.capture, settings);
  context.leftOut = analysis.leftOut();
  context.groups = &analysis.groups();
  auto tables = makeTables(heads, context, stages, stages.all() ? std::vector<Table>() : earlier->tables);
  if (!tables) return std::nullopt;
  computed.tables = std::move(*tables);
  addHeadSpread(computed.tables);
  if (corrects) addPlain(computed.tables, plain);
  if (settings.bootstrap > 0 || settings.interval == "jackknife")
    addIntervals(computed.tables, analysis.samples(), estimator);
  else
    addIntervals(computed.tables, analysis.leftOut(), Estimator(analysis.groups()), true);
  addLossIntervals(computed.tables, context.textLosses, analysis.groups());
  if (!stages.plasticity) keepTextIntervals(computed.tables, earlier->tables);
  if (const std::string part = partWarning(info); !part.empty()) computed.warnings.push_back(part);
  if (settings.resamples() && info.examples.size() < 2)
    computed.warnings.push_back(oneExampleWarning(settings));
  return computed;
}

}  // namespace

AnalysisFile analyzeCapture(const CaptureFile& capture, const AnalysisSettings& settings, int threads,
                            Progress& progress, const AnalyzeOptions& options) {
  std::optional<AnalysisFile> whole;
  const AnalysisFile* const earlier = wholeOf(options.earlier, whole);
  settings.validate();
  const KeepFreedMemory keep;
  const CaptureInfo& info = capture.info();
  const AnalysisSettings resolved = resolvedSettings(settings, info);
  const Json settingsJson = resolved.toJson();
  progress.started("analyze", canonicalJson(settingsJson));
  const AnalysisStages stages = stagesToCompute(earlier, info, resolved);
  const auto chosen = subsetOf(capture, resolved, ExampleNumbers::Dense);
  const Task task{*chosen, resolved, threads, options.damaged, progress};
  std::optional<Computed> computed;
  if (stages.none())
    computed = Computed{earlier->tables, earlier->provenance.warnings};
  else
    computed = compute(task, stages, earlier);
  if (!computed) computed = compute(task, {}, nullptr);

  AnalysisFile file;
  AnalysisProvenance& provenance = file.provenance;
  provenance.programVersion = kVersion;
  provenance.created = nowIso8601();
  provenance.captureFile = pathText(capture.path());
  provenance.captureFingerprint = info.fingerprint;
  provenance.captureSettingsHash = info.settingsHash;
  provenance.settings = settingsJson;
  provenance.settingsHash = settingsHashOf(resolved);
  provenance.capture = captureFacts(info);
  provenance.warnings = std::move(computed->warnings);
  file.tables = std::move(computed->tables);
  return file;
}

}  // namespace plastiscope
