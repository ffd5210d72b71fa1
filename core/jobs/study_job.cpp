#include "core/jobs/study_job.h"

#include <cstdlib>
#include <optional>
#include <vector>

#include "core/base/error.h"
#include "core/base/hash.h"
#include "core/base/path_text.h"
#include "core/base/shipped_folder.h"
#include "core/jobs/analysis_identity.h"
#include "core/jobs/analyze_job.h"
#include "core/store/foreign_file.h"

namespace plastiscope {

namespace fs = std::filesystem;

namespace {

constexpr const char* kSuffix = ".analysis.h5";

// The user's cache folder of this program; empty when none is known.
fs::path cacheFolder() {
  for (const auto& [variable, below] : {std::pair{"XDG_CACHE_HOME", ""}, {"HOME", ".cache"}}) {
    const char* value = std::getenv(variable);
    if (value != nullptr && *value != '\0') return fs::path(value) / below / "plastiscope" / "analyses";
  }
  return {};
}

// Where the analysis of a capture may lie, in the order in which they are tried.
std::vector<fs::path> analysisPlaces(const fs::path& capture) {
  std::vector<fs::path> places = {fs::path(capture).replace_extension(kSuffix)};
  const fs::path cache = cacheFolder();
  std::error_code code;
  const fs::path absolute = fs::absolute(capture, code);
  if (!cache.empty() && !code) {
    places.push_back(cache /
                     (sha256Hex(absolute.string()).substr(0, 16) + "-" + capture.stem().string() + kSuffix));
  }
  return places;
}

// A cached analysis that is damaged or foreign is not there.
std::optional<AnalysisFile> readCached(const fs::path& file, const CaptureInfo& info) {
  std::error_code code;
  if (!fs::is_regular_file(file, code)) return std::nullopt;
  try {
    AnalysisFile analysis = readAnalysis(file);
    if (belongsTo(analysis.provenance, info)) return analysis;
  } catch (const InputError&) {
    // computed anew below
  }
  return std::nullopt;
}

// Whether the place may be replaced: it is missing, or an analysis; beside the capture only one that is
// damaged or of another capture, because one of this capture with other settings is somebody's own. Beside
// the program's own files nothing is written.
bool mayWrite(const fs::path& file, bool besideCapture, const CaptureInfo& info) {
  if (besideCapture && isShipped(file)) return false;
  std::error_code code;
  if (!fs::exists(file, code)) return true;
  try {
    return storedKindOf(file) == StoredKind::Analysis && !(besideCapture && readCached(file, info));
  } catch (const InputError&) {
    return false;
  }
}

// The first place that can be written keeps the analysis; when none can, it is computed again next time.
void keep(const AnalysisFile& analysis, const std::vector<fs::path>& places, const CaptureInfo& info,
          Progress& progress) {
  std::string why;
  for (const fs::path& place : places) {
    if (!mayWrite(place, &place == &places.front(), info)) continue;
    try {
      writeAnalysis(analysis, place);
      return;
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::Input && error.kind() != ErrorKind::Resources) throw;
      why = error.what();
    }
  }
  progress.warned("the analysis could not be kept for the next time: " + why);
}

std::string titleOf(const std::string& model, const fs::path& file) {
  std::string name = pathText(file.filename());
  for (const std::string suffix : {".analysis.h5", ".h5", ".hdf5"}) {
    if (name.size() > suffix.size() && name.ends_with(suffix)) {
      name.resize(name.size() - suffix.size());
      break;
    }
  }
  return model.empty() || model == name ? name : model + " \u00b7 " + name;
}

std::shared_ptr<const Study> studyOfCapture(const fs::path& file, const AnalysisSettings& settings,
                                            int threads, Progress& progress) {
  auto study = std::make_shared<Study>();
  study->capture = openCapture(file);
  const CaptureInfo& info = study->capture->info();
  study->title = titleOf(info.modelName, file);
  study->file = pathText(file);
  const std::string hash = settingsHashOf(resolvedSettings(settings, info));
  const std::vector<fs::path> places = analysisPlaces(file);
  std::optional<AnalysisFile> earlier;  // with other settings: parts of it may still hold
  for (const fs::path& place : places) {
    auto cached = readCached(place, info);
    if (cached && cached->provenance.settingsHash == hash) {
      study->analysis = std::make_shared<const AnalysisFile>(std::move(*cached));
      return study;
    }
    if (cached && !earlier) earlier = std::move(cached);
  }
  auto analysis = std::make_shared<AnalysisFile>(
      analyzeCapture(*study->capture, settings, threads, progress, earlier ? &*earlier : nullptr));
  keep(*analysis, places, info, progress);
  study->analysis = std::move(analysis);
  return study;
}

// The capture of an analysis, at its recorded path or beside the analysis; null when there is none that fits.
std::shared_ptr<const CaptureFile> captureOf(const AnalysisProvenance& provenance,
                                             const fs::path& analysisFile) {
  const fs::path recorded = pathOfText(provenance.captureFile), folder = analysisFile.parent_path();
  std::vector<fs::path> places = {recorded, folder / recorded, folder / recorded.filename()};
  if (const std::string name = analysisFile.string(); name.ends_with(kSuffix)) {
    places.emplace_back(name.substr(0, name.size() - std::string(kSuffix).size()) + ".h5");
  }
  for (const fs::path& place : places) {
    std::error_code code;
    if (place.empty() || !fs::is_regular_file(place, code)) continue;
    try {
      auto capture = openCapture(place);
      if (belongsTo(provenance, capture->info())) return capture;
    } catch (const InputError&) {
      // another file of that name: the analysis is shown without its rows
    }
  }
  return nullptr;
}

std::shared_ptr<const Study> studyOfAnalysis(const fs::path& file) {
  auto study = std::make_shared<Study>();
  auto analysis = std::make_shared<const AnalysisFile>(readAnalysis(file));
  study->capture = captureOf(analysis->provenance, file);
  const Json& facts = analysis->provenance.capture;
  study->title = titleOf(facts.is_object() && facts.contains("model") && facts["model"].is_string()
                             ? facts["model"].get<std::string>()
                             : "",
                         file);
  study->file = pathText(file);
  study->analysis = std::move(analysis);
  return study;
}

}  // namespace

std::shared_ptr<const Study> openStudy(const fs::path& file, const AnalysisSettings& settings, int threads,
                                       Progress& progress) {
  switch (storedKindOf(file)) {
    case StoredKind::Capture:
      return studyOfCapture(file, settings, threads, progress);
    case StoredKind::Analysis:
      return studyOfAnalysis(file);
    case StoredKind::Other:
      break;
  }
  throw InputError({file, "", "a capture or an analysis of this program", foreignContentOf(file)});
}

}  // namespace plastiscope
