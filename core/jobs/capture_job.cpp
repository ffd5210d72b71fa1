#include "core/jobs/capture_job.h"

#include <algorithm>
#include <chrono>
#include <set>

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/capture/capture_draft.h"
#include "core/capture/capture_sink.h"
#include "core/jobs/capture_groups.h"
#include "core/jobs/capture_setup.h"
#include "core/jobs/capture_texts.h"
#include "core/store/capture_output.h"
#include "core/store/capture_writer.h"
#include "core/store/seal.h"
#include "core/store/work_folder.h"

namespace plastiscope {

namespace {

using Group = std::vector<std::int64_t>;

// Runs the groups of one capture and keeps count.
class CaptureRun {
 public:
  CaptureRun(const CaptureSetup& setup, WorkFolder& work, std::uint64_t memoryLimit, Progress& progress)
      : m_setup(setup),
        m_work(work),
        m_progress(progress),
        m_sink(setup.plan, setup.layout),
        m_runner(makeForwardRunner(setup.model, setup.lastLayer, setup.forward)),
        m_groups(packGroups(setup, remainingOf(setup, work), memoryLimit)),
        m_meter(totalFlops()) {
    m_state.total = static_cast<double>(setup.examples.size());
    for (const CaptureExample& example : setup.examples)
      m_tokensInAll += static_cast<double>(example.tokens.size());
    m_tokensKept = m_tokensInAll;
    for (const Group& group : m_groups) m_tokensKept -= static_cast<double>(tokensIn(group));
  }

  static Group remainingOf(const CaptureSetup& setup, const WorkFolder& work) {
    Group remaining;
    for (const UnitFacts& facts : setup.facts) {
      if (!work.units().contains(facts.example)) remaining.push_back(facts.example);
    }
    return remaining;
  }

  void run() {
    report();
    for (const Group& group : m_groups) runGroup(group);
  }

 private:
  double totalFlops() const {
    double flops = 0;
    for (const Group& group : m_groups) flops += groupFlops(m_setup, group);
    return flops;
  }

  std::int64_t tokensIn(const Group& group) const {
    std::int64_t tokens = 0;
    for (const std::int64_t example : group) {
      tokens += static_cast<std::int64_t>(m_setup.examples[static_cast<std::size_t>(example)].tokens.size());
    }
    return tokens;
  }

  // A card may hold less than planned: halve the group until one example alone does not fit.
  void runGroup(const Group& group) {
    if (forward(group)) return keep(group);
    const auto middle = group.begin() + static_cast<std::ptrdiff_t>(group.size() / 2);
    runGroup({group.begin(), middle});
    runGroup({middle, group.end()});
  }

  // False when memory did not suffice for the group, but may for fewer examples.
  bool forward(const Group& group) {
    std::vector<TokenSequence> sequences;
    for (const std::int64_t example : group) {
      const CaptureExample& text = m_setup.examples[static_cast<std::size_t>(example)];
      m_sink.begin(example, text);
      sequences.push_back({example, text.tokens});
    }
    const double flops = groupFlops(m_setup, group), tokens = static_cast<double>(tokensIn(group));
    const double tokensBefore = m_tokensDone;
    m_tokensRunning = 0;
    const RateMeter meterBefore = m_meter;
    try {
      m_runner->run(sequences, m_sink, m_progress, [&](double step) {
        m_meter.add(step);
        m_tokensDone += tokens * step / flops;
        m_tokensRunning = std::min(tokens, m_tokensRunning + tokens * step / flops);
        report();
      });
    } catch (const ResourceError& error) {
      if (group.size() == 1) throw;
      m_meter = meterBefore;
      m_tokensDone = tokensBefore;
      m_progress.warned(std::string(error.what()) + "; going on with smaller groups of examples");
      return false;
    }
    return true;
  }

  void keep(const Group& group) {
    for (const std::int64_t example : group) {
      m_work.add(m_setup.layout, m_sink.finish(example), m_setup.facts[static_cast<std::size_t>(example)]);
      m_progress.unitFinished(m_setup.examples[static_cast<std::size_t>(example)].id);
    }
    m_tokensKept += static_cast<double>(tokensIn(group));
    m_tokensRunning = 0;
    report(true);
  }

  // At most ten times a second. What is done is the share of the tokens, in examples' worth: which examples
  // are finished is said one by one, and the first layers of a group finish none.
  void report(bool always = false) {
    const auto now = std::chrono::steady_clock::now();
    if (!always && now - m_lastReport < std::chrono::milliseconds(100)) return;
    m_lastReport = now;
    ProgressState state = m_state;
    state.done = m_state.total * (m_tokensKept + m_tokensRunning) / m_tokensInAll;
    state.etaSeconds = m_meter.etaSeconds();
    if (m_tokensDone > 0) state.tokensPerSecond = m_tokensDone / std::max(m_meter.elapsedSeconds(), 1e-9);
    m_progress.advanced(state);
  }

  const CaptureSetup& m_setup;
  WorkFolder& m_work;
  Progress& m_progress;
  CaptureSink m_sink;
  std::unique_ptr<ForwardRunner> m_runner;
  std::vector<Group> m_groups;
  RateMeter m_meter;
  // Tokens of all examples, of finished ones, and the share of the running group.
  double m_tokensInAll = 0, m_tokensKept = 0, m_tokensRunning = 0;
  double m_tokensDone = 0;  // since the start
  ProgressState m_state{"capture", 0, 0, "example", -1, -1};
  std::chrono::steady_clock::time_point m_lastReport{};
};

void requireMemory(const CaptureSetup& setup, const Group& remaining, std::uint64_t limit) {
  for (const std::int64_t example : remaining) {
    const std::uint64_t need = groupMemory(setup, {example});
    if (need <= limit) continue;
    const std::int64_t window = fittingWindow(setup, limit);
    throw ResourceError("this capture needs about " + byteText(need) + " of memory, the limit is " +
                        byteText(limit) +
                        (window > 0 ? "; a --window of at most about " + withCommas(window) + " tokens fits"
                                    : "; the model does not fit at any window"));
  }
}

void requireDisk(const CaptureSetup& setup, const Group& remaining, const std::filesystem::path& out) {
  const std::uint64_t need = diskNeed(setup, remaining), free = freeDiskBytes(out);
  if (need <= free) return;
  throw ResourceError("this capture needs about " + byteText(need) + " of disk at " + out.string() + ", " +
                      byteText(free) + " are free");
}

// The request with paths that mean the same from every folder. Memory in whole MiB, at least one.
CaptureDraft draftOf(const CaptureRequest& request, const CaptureSetup& setup) {
  const auto absolute = [](const std::filesystem::path& path) {
    return path.empty() ? path : std::filesystem::absolute(path).lexically_normal();
  };
  constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20;
  CaptureDraft draft;
  draft.model = absolute(setup.model->path);
  draft.corpus = request.corpus;
  for (auto& file : draft.corpus.files) file = absolute(file);
  draft.tokens = absolute(request.tokens);
  draft.plan = request.plan;
  draft.clampFrom = absolute(request.clampFrom);
  if (request.memoryLimit > 0)
    draft.memoryLimit = static_cast<std::int64_t>(std::max(kMebibyte, request.memoryLimit) / kMebibyte);
  draft.out = absolute(request.out);
  draft.storeTexts = request.storeTexts;
  if (!request.part.isWhole()) draft.part = request.part.text();
  return draft;
}

// Whether the output is there already. Work that was begun with --fresh goes on and replaces what is there.
bool isFinished(const CaptureRequest& request, const CaptureSetup& setup) {
  std::error_code code;
  if (request.fresh || !std::filesystem::exists(request.out, code)) return false;
  const Json settings = workSettings(setup);
  try {
    if (!isFinishedCapture(request.out, setup.settings, storesTexts(request, setup))) return false;
  } catch (const Error&) {
    if (WorkFolder::mayReplace(request.out, settings)) return false;
    throw;
  }
  // Killed between the sealing and the removal of the work.
  if (WorkFolder::hasBegun(request.out, settings) && !OutputLock::isHeld(request.out))
    WorkFolder(request.out, settings, false).remove();
  return true;
}

// A unit that is damaged after it was finished is made again, once.
void runAndSeal(const CaptureRequest& request, const CaptureSetup& setup, WorkFolder& work,
                std::uint64_t memoryLimit, Progress& progress) {
  std::set<std::int64_t> again;
  while (true) {
    if (work.units().size() < setup.examples.size()) CaptureRun(setup, work, memoryLimit, progress).run();
    CaptureInfo info = captureInfoOf(setup);
    info.created = nowIso8601();
    const std::optional<StoredTexts> texts = storedTextsOf(request, setup);
    try {
      return sealCapture(info, texts ? &*texts : nullptr, setup.layout, work.units(), request.out, progress);
    } catch (const DamagedUnits& damage) {
      for (const std::int64_t example : damage.examples) {
        if (!again.insert(example).second) throw;
        work.drop(example);
      }
      progress.warned(std::string(damage.what()) + "; it is captured again");
    }
  }
}

}  // namespace

CaptureOutcome runCapture(const CaptureRequest& request, Progress& progress) {
  requireWritableFolderOf(request.out);
  const CaptureSetup setup = prepareCapture(request, progress);
  if (isFinished(request, setup)) {
    progress.started("capture", canonicalJson(setup.settings));
    const auto all = static_cast<double>(setup.examples.size());
    progress.advanced({"capture", all, all, "example", -1, -1});
    return CaptureOutcome::WasFinished;
  }
  const std::uint64_t memoryLimit = memoryLimitOf(request);
  WorkFolder work(request.out, workSettings(setup), request.fresh);
  work.load(setup.layout, setup.facts, progress);
  const Group remaining = CaptureRun::remainingOf(setup, work);
  try {
    requireMemory(setup, remaining, memoryLimit);
    requireDisk(setup, remaining, request.out);
  } catch (const ResourceError&) {
    if (work.units().empty()) work.remove();  // nothing was begun
    throw;
  }
  work.keepRequest(draftOf(request, setup).toJson());
  progress.started("capture", canonicalJson(setup.settings));
  const std::string warning = contextWarning(setup.plan.window, setup.trainedContext);
  if (!warning.empty()) progress.warned(warning);
  runAndSeal(request, setup, work, memoryLimit, progress);
  work.remove();
  return CaptureOutcome::Captured;
}

}  // namespace plastiscope
