#include "core/sweep/sweep_record.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/json.h"
#include "core/base/path_text.h"
#include "core/base/version.h"
#include "core/model/model.h"

namespace plastiscope {

namespace fs = std::filesystem;

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

}  // namespace plastiscope
