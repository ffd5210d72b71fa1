#include "core/sweep/sweep_library.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/json.h"
#include "core/base/natural_order.h"
#include "core/base/path_text.h"
#include "core/base/state_document.h"
#include "core/base/version.h"
#include "core/compare/compare_matrix.h"
#include "core/model/model.h"

namespace plastiscope {

namespace fs = std::filesystem;

// ---- records

namespace {

constexpr std::size_t kLargestRecord = std::size_t{16} << 20;
constexpr const char* kAgain = "again";  // stored instead of the request

// Name, size and modification time; null if there is no such file.
Json stampOf(const fs::path& file) {
  std::error_code failed;
  const auto size = fs::file_size(file, failed);
  if (failed) return nullptr;
  const auto changed = fs::last_write_time(file, failed);
  if (failed) return nullptr;
  return {pathText(file), size, static_cast<std::int64_t>(changed.time_since_epoch().count())};
}

void addStamps(const fs::path& place, Json& stamps) {
  std::error_code failed;
  if (!fs::is_directory(place, failed)) return stamps.push_back(stampOf(place));
  std::vector<fs::path> files;
  for (const auto& each : fs::directory_iterator(place, failed)) {
    if (each.is_regular_file(failed)) files.push_back(each.path());
  }
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) stamps.push_back(stampOf(file));
}

Json inputStamps(const CaptureRequest& request) {
  Json stamps = Json::array();
  try {
    addStamps(resolveModelPath(request.model.string()), stamps);
  } catch (const Error&) {  // the capture command reports the error
    stamps.push_back(nullptr);
  }
  for (const fs::path& file : request.corpus.files) stamps.push_back(stampOf(file));
  for (const fs::path& file : {request.tokens, request.clampFrom}) {
    if (!file.empty()) stamps.push_back(stampOf(file));
  }
  return stamps;
}

const fs::path& outputOf(const SweepRun& run, std::size_t step) {
  return step == 0 ? run.capture.out : run.analyses[step - 1].out;
}

}  // namespace

SweepRecord::SweepRecord(const SweepRun& run)
    : m_run(run), m_inputs(inputStamps(run.capture)), m_steps(JsonValue::object()) {
  try {
    const Json record = readJsonFile(fileFor(run), kLargestRecord);
    if (record.is_object() && record.contains("steps") && record["steps"].is_object())
      m_steps = record["steps"];
  } catch (const InputError&) {  // missing or damaged: the commands check their outputs themselves
  }
}

fs::path SweepRecord::fileFor(const SweepRun& run) {
  return run.capture.out.parent_path() / "runs" / (run.name + ".json");
}

Json SweepRecord::wanted(std::size_t step) const {
  const fs::path& out = outputOf(m_run, step);
  Json all{{"program", kVersion}, {"inputs", *m_inputs}, {"output", stampOf(out)}};
  if (step == 0) {
    all["request"] = m_run.capture.toJson();
  } else {
    all["arguments"] = m_run.analyses[step - 1].arguments;
    all["inputs"] = {stampOf(m_run.capture.out)};
  }
  return all;
}

bool SweepRecord::isDone(std::size_t step) const {
  const fs::path& out = outputOf(m_run, step);
  const auto kept = m_steps->find(pathText(out.filename()));
  return kept != m_steps->end() && !stampOf(out).is_null() && *kept == wanted(step);
}

bool SweepRecord::isDone() const {
  for (std::size_t step = 0; step <= m_run.analyses.size(); ++step) {
    if (!isDone(step)) return false;
  }
  return true;
}

bool SweepRecord::isAgain(std::size_t step) const {
  const auto kept = m_steps->find(pathText(outputOf(m_run, step).filename()));
  return kept != m_steps->end() && *kept == kAgain;
}

void SweepRecord::setDone(std::size_t step) {
  m_steps.set(pathText(outputOf(m_run, step).filename()), wanted(step));
  write();
}

void SweepRecord::setAgain() {
  for (std::size_t step = 0; step <= m_run.analyses.size(); ++step)
    m_steps.set(pathText(outputOf(m_run, step).filename()), kAgain);
  write();
}

void SweepRecord::write() const {
  writeFileAtomically(fileFor(m_run), indentedJson({{"steps", *m_steps}}) + "\n");
}

// ---- the session

namespace {

struct FinishedAnalysis {
  std::string model;
  fs::path file;
};
using Comparisons =
    std::map<std::tuple<std::string, std::string, std::string>, std::vector<FinishedAnalysis>>;

// Comparisons of one analysis per model, or of all analyses if there is one model.
Comparisons comparisonsOf(const std::vector<SweepRun>& runs) {
  const bool oneModel = std::all_of(runs.begin(), runs.end(),
                                    [&](const SweepRun& run) { return run.model == runs.front().model; });
  Comparisons comparisons;
  std::error_code ignored;
  for (const SweepRun& run : runs) {
    for (const SweepAnalysis& analysis : run.analyses) {
      if (!fs::is_regular_file(analysis.out, ignored)) continue;
      const auto key = oneModel ? std::tuple(std::string(), std::string(), analysis.name)
                                : std::tuple(run.texts, run.kind, analysis.name);
      comparisons[key].push_back({run.model, analysis.out});
    }
  }
  for (auto& [key, files] : comparisons) {
    std::stable_sort(files.begin(), files.end(), [](const FinishedAnalysis& a, const FinishedAnalysis& b) {
      return naturallyBefore(a.model, b.model);
    });
  }
  return comparisons;
}

Json tabsOf(const std::vector<SweepRun>& runs) {
  Json tabs = Json::array();
  for (const auto& [key, files] : comparisonsOf(runs)) {
    Json tab{{"file", files.size() == 1 ? pathText(files.front().file) : std::string()}};
    if (files.size() > 1) {
      for (const FinishedAnalysis& each : evenlySpaced(files, kMaxMatrixColumns))
        tab["compared"].push_back(pathText(each.file));
      tab["compare"] = {{"charts", true}};
    }
    tabs.push_back(std::move(tab));
  }
  return tabs;
}

}  // namespace

// Repeats until no other process has finished a file in the meantime.
void writeLibrarySession(const std::vector<SweepRun>& runs, const fs::path& library) {
  Json written = Json::array();
  for (Json tabs = tabsOf(runs); tabs != written; tabs = tabsOf(runs)) {
    writeFileAtomically(library / kLibrarySession,
                        stateDocument(kSessionFormat, kSessionVersion, {{"tabs", tabs}, {"current", 0}}));
    written = std::move(tabs);
  }
}

}  // namespace plastiscope
