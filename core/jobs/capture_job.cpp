#include "core/jobs/capture_job.h"

#include <algorithm>
#include <set>

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/capture/capture_unit.h"
#include "core/jobs/capture_groups.h"
#include "core/jobs/capture_run.h"
#include "core/jobs/capture_setup.h"
#include "core/store/capture_output.h"
#include "core/store/capture_writer.h"
#include "core/store/parked_group.h"
#include "core/store/unit_file.h"
#include "core/store/work_folder.h"

namespace plastiscope {

namespace {

void requireMemory(const GroupPlanner& planner, const CaptureSetup& setup, const CaptureGroup& remaining,
                   std::uint64_t limit) {
  std::int64_t longest = 0;
  for (const std::int64_t example : remaining) longest = std::max(longest, planner.tokens(example));
  const std::uint64_t need = planner.memoryOfText(longest);
  if (remaining.empty() || need <= limit) return;
  const std::int64_t window = fittingWindow(setup, limit);
  throw ResourceError("this capture needs about " + byteText(need) + " of memory, the limit is " +
                      byteText(limit) +
                      (window > 0 ? "; a --window of at most about " + withCommas(window) + " tokens fits"
                                  : "; the model does not fit at any window"));
}

// Checks the free disk space; files of a parked group are part of the need.
void requireDisk(const CaptureSetup& setup, const std::vector<CaptureGroup>& groups,
                 const std::filesystem::path& out) {
  const std::uint64_t need = diskNeed(setup, groups);
  const std::uint64_t free = freeDiskBytes(out) + ParkedGroup::bytesIn(WorkFolder::pathFor(out));
  if (need <= free) return;
  throw ResourceError("this capture needs about " + byteText(need) + " of disk at " + out.string() + ", " +
                      byteText(free) + " are free");
}

// The request with absolute paths.
CaptureRequest keptRequest(CaptureRequest request, const CaptureSetup& setup) {
  const auto makeAbsolute = [](std::filesystem::path& path) {
    if (!path.empty()) path = std::filesystem::absolute(path).lexically_normal();
  };
  request.model = setup.model->path;
  for (auto* path : {&request.model, &request.tokens, &request.clampFrom, &request.out}) makeAbsolute(*path);
  for (auto& file : request.corpus.files) makeAbsolute(file);
  request.fresh = false;
  return request;
}

// Whether the output is finished. Work that was begun with --fresh goes on and replaces it.
bool isFinished(const CaptureRequest& request, const CaptureSetup& setup, OutputLock& lock) {
  std::error_code code;
  if (request.fresh || !std::filesystem::exists(request.out, code)) return false;
  const Json settings = workSettings(setup);
  if (WorkFolder::mayReplace(request.out, settings)) return false;  // even if it is the same capture
  if (!isFinishedCapture(request.out, setup.settings, storesTexts(request, setup))) return false;
  // The process was killed after sealing, before or while removing the work folder.
  if (WorkFolder::hasBegun(request.out, settings) || !WorkFolder::summaryOf(request.out))
    lock.discardFolder();
  return true;
}

void seal(const CaptureRequest& request, const CaptureSetup& setup,
          const std::map<std::int64_t, UnitIndex>& units, const std::filesystem::path& file,
          Progress& progress) {
  CaptureInfo info = captureInfoOf(setup);
  info.created = nowIso8601();
  const std::optional<StoredTexts> texts = storedTextsOf(request, setup);
  std::vector<std::int32_t> places;
  if (setup.layout.loss) {
    for (const CaptureExample& example : setup.examples) {
      const auto own = firstPlacesOf(example.tokens);
      places.insert(places.end(), own.begin(), own.end());
    }
  }
  FinishedUnits finished{info, texts ? &*texts : nullptr, setup.layout, units, std::move(places)};
  if (setup.probe) finished.probe = setup.probe->tokens;
  sealCapture(finished, file, progress);
}

// Computes units that were damaged after they were finished again, once.
void runAndSeal(const CaptureRequest& request, const CaptureSetup& setup, WorkFolder& work,
                std::uint64_t memoryLimit, Progress& progress) {
  std::set<std::int64_t> again;
  while (true) {
    if (work.units().size() < setup.facts.size()) runRemaining(setup, work, request, memoryLimit, progress);
    try {
      return seal(request, setup, work.units(), request.out, progress);
    } catch (const DamagedUnits& damage) {
      for (const std::int64_t example : damage.examples) {
        if (!again.insert(example).second) throw;
        work.drop(example);
      }
      progress.warned(std::string(damage.what()) + "; it is captured again");
    }
  }
}

// Reduces the capture to these examples, and the probe if it is among them.
void keepOnly(const std::map<std::int64_t, UnitIndex>& units, CaptureSetup& setup) {
  std::vector<CaptureExample> kept;
  if (!units.contains(std::ssize(setup.examples))) setup.probe.reset();
  for (const auto& [number, unit] : units) {
    if (!setup.isProbe(number)) kept.push_back(std::move(setup.examples[number]));
  }
  setup.settings.set("partial_of", setup.examples.size());
  setup.settings.set("examples", kept.size());
  setup.settingsHash = sha256Hex(canonicalJson(setup.settings));
  setup.examples = std::move(kept);
}

}  // namespace

CaptureOutcome runCapture(const CaptureRequest& request, Progress& progress) {
  OutputLock lock(request.out);
  const CaptureSetup setup = prepareCapture(request, progress);
  if (isFinished(request, setup, lock)) {
    progress.started("capture", canonicalJson(setup.settings));
    const double all = setup.examples.size();
    progress.advanced({"capture", all, all, "example", -1, -1});
    return CaptureOutcome::WasFinished;
  }
  const std::uint64_t memoryLimit = memoryLimitOf(request);
  WorkFolder work(std::move(lock), workSettings(setup), request.fresh);
  work.load(setup.layout, setup.facts, progress);
  const CaptureGroup remaining = remainingOf(setup, work);
  try {
    const GroupPlanner planner(setup);
    requireMemory(planner, setup, remaining, memoryLimit);
    requireDisk(setup, planner.all(remaining, memoryLimit, progress), request.out);
  } catch (const ResourceError&) {
    const bool begun = !work.units().empty() || ParkedGroup::bytesIn(WorkFolder::pathFor(request.out)) > 0;
    if (!begun) work.remove();
    throw;
  }
  work.keepRequest(keptRequest(request, setup).toJson());
  progress.started("capture", canonicalJson(setup.settings));
  const std::string warning = contextWarning(setup.plan.window, setup.trainedContext);
  if (!warning.empty()) progress.warned(warning);
  runAndSeal(request, setup, work, memoryLimit, progress);
  work.remove();
  return CaptureOutcome::Captured;
}

CaptureSnapshot snapshotCapture(const CaptureRequest& request, const std::filesystem::path& file,
                                Progress& progress) {
  requireWritableFolderOf(file);
  CaptureSetup setup = prepareCapture(request, progress);
  WorkFolder::requireSameSettings(request.out, workSettings(setup));
  const auto units = WorkFolder::finishedUnits(request.out, setup.layout, setup.facts);
  const std::int64_t probes = units.contains(std::ssize(setup.examples)) ? 1 : 0;
  CaptureSnapshot snapshot{std::ssize(units) - probes, std::ssize(setup.examples)};
  if (snapshot.examples == 0)
    throw InputError({WorkFolder::pathFor(request.out), "", "at least one finished example", "none yet"});
  keepOnly(units, setup);
  seal(request, setup, units, file, progress);
  return snapshot;
}

}  // namespace plastiscope
