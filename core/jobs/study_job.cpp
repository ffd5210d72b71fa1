#include "core/jobs/study_job.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <vector>

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/base/path_text.h"
#include "core/base/version.h"
#include "core/jobs/analysis_identity.h"
#include "core/jobs/analyze_job.h"
#include "core/jobs/head_work.h"
#include "core/jobs/study_finder.h"
#include "core/store/foreign_file.h"

namespace plastiscope {

namespace fs = std::filesystem;

namespace {

constexpr const char *kSuffix = ".analysis.h5", *kIntervalsSuffix = ".intervals.analysis.h5";
// Of the jackknife in the background: numbers of rows and pairs that all groups together go through.
constexpr double kMostNumbers = 5e10;
constexpr std::int64_t kFewestGroups = 20;

fs::path folderOf(const fs::path& file) {
  return file.has_parent_path() ? file.parent_path() : fs::path(".");
}

// The user's cache folder of this program; empty when none is known.
fs::path cacheFolder() {
  for (const auto& [variable, below] : {std::pair{"XDG_CACHE_HOME", ""}, {"HOME", ".cache"}}) {
    const char* value = std::getenv(variable);
    if (value != nullptr && *value != '\0') return fs::path(value) / below / "plastiscope" / "analyses";
  }
  return {};
}

StudyId captureIdOf(const CaptureInfo& info) {
  return StudyId::fromJson(StudyId{info.fingerprint, info.settingsHash, {}}.toJson());
}

// A file of the user's cache folder for a capture, found wherever the capture is moved; empty when no folder
// is known.
fs::path cachePlace(const fs::path& capture, const CaptureInfo& info, const std::string& suffix) {
  const fs::path cache = cacheFolder();
  const StudyId id = captureIdOf(info);
  std::error_code code;
  const fs::path absolute = fs::absolute(capture, code);
  if (cache.empty() || (!id.known() && code)) return {};
  return cache / ((id.known() ? id.digest() : sha256Hex(absolute.string()).substr(0, 16)) + suffix);
}

// Where the analysis of a capture may lie, in the order in which they are tried.
std::vector<fs::path> analysisPlaces(const fs::path& capture, const CaptureInfo& info) {
  std::vector<fs::path> places = {fs::path(capture).replace_extension(kSuffix)};
  if (const fs::path cached = cachePlace(capture, info, kSuffix); !cached.empty()) places.push_back(cached);
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
void keep(const AnalysisFile& analysis, const std::vector<fs::path>& places, const fs::path& besideCapture,
          const CaptureInfo& info, Progress& progress) {
  std::string why;
  for (const fs::path& place : places) {
    if (!mayWrite(place, place == besideCapture, info)) continue;
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

// No head that the settings ask for was left out.
bool isComplete(const AnalysisFile& analysis, const CaptureInfo& info) {
  const AnalysisSettings settings = AnalysisSettings::fromJson(analysis.provenance.settings);
  return analysis.find("heads")->rows() == chooseHeadWork(info, settings).heads;
}

std::shared_ptr<const Study> studyOfCapture(const fs::path& file, const AnalysisSettings& settings,
                                            int threads, Progress& progress, DamagedHeads damaged) {
  auto study = std::make_shared<Study>();
  study->capture = openCapture(file);
  const CaptureInfo& info = study->capture->info();
  study->title = titleOf(info.modelName, file);
  study->file = pathText(file);
  const std::string hash = settingsHashOf(resolvedSettings(settings, info));
  const std::vector<fs::path> places = analysisPlaces(file, info);
  std::optional<AnalysisFile> earlier;  // with other settings: parts of it may still hold
  for (const fs::path& place : places) {
    auto cached = readCached(place, info);
    if (cached && cached->provenance.settingsHash == hash) {
      study->analysis = std::make_shared<const AnalysisFile>(std::move(*cached));
      return study;
    }
    if (cached && !earlier) earlier = std::move(cached);
  }
  StudyId wanted = captureIdOf(info);
  wanted.analysis = hash;
  const auto renamed = StudyFinder(progress).find(wanted, places.front(), {folderOf(file)});
  if (auto found = renamed ? readCached(*renamed, info) : std::nullopt) {
    study->analysis = std::make_shared<const AnalysisFile>(std::move(*found));
    return study;
  }
  auto analysis = std::make_shared<AnalysisFile>(
      analyzeCapture(*study->capture, settings, threads, progress, earlier ? &*earlier : nullptr, damaged));
  if (isComplete(*analysis, info)) keep(*analysis, places, places.front(), info, progress);
  study->analysis = std::move(analysis);
  return study;
}

// The capture of an analysis, where openStudy looks for it; null when there is none that fits.
std::shared_ptr<const CaptureFile> captureOf(const AnalysisProvenance& provenance,
                                             const fs::path& analysisFile,
                                             const std::vector<fs::path>& elsewhere, Progress& progress) {
  const fs::path recorded = pathOfText(provenance.captureFile), folder = folderOf(analysisFile);
  std::vector<fs::path> places = {recorded, folder / recorded, folder / recorded.filename()};
  if (const std::string name = analysisFile.string(); name.ends_with(kSuffix)) {
    places.emplace_back(name.substr(0, name.size() - std::string(kSuffix).size()) + ".h5");
  }
  places.insert(places.end(), elsewhere.begin(), elsewhere.end());
  const auto fits = [&](const fs::path& place) -> std::shared_ptr<const CaptureFile> {
    std::error_code code;
    if (place.empty() || !fs::is_regular_file(place, code)) return nullptr;
    try {
      auto capture = openCapture(place);
      if (belongsTo(provenance, capture->info())) return capture;
    } catch (const InputError&) {
      // another file of that name: the analysis is shown without its rows
    }
    return nullptr;
  };
  for (const fs::path& place : places) {
    if (auto capture = fits(place)) return capture;
  }
  const StudyId id =
      StudyId::fromJson(StudyId{provenance.captureFingerprint, provenance.captureSettingsHash, {}}.toJson());
  const auto renamed = StudyFinder(progress).find(id, recorded, {folder});
  return renamed ? fits(*renamed) : nullptr;
}

// Not of an analysis that somebody has made.
bool isOfCapture(const Study& study) {
  return study.capture != nullptr && study.file == pathText(study.capture->path());
}

// The settings of a study's analysis with intervals beside its values.
AnalysisSettings intervalSettings(const Study& study) {
  AnalysisSettings settings = AnalysisSettings::fromJson(study.analysis->provenance.settings);
  settings.interval = "jackknife";
  double numbers = 0;  // that one group goes through
  for (const auto& [table, columns] : {std::pair("heads", std::vector{"query_rows", "key_rows"}),
                                       std::pair("profile", std::vector{"pairs_used"})}) {
    const Table* counts = study.analysis->find(table);
    if (counts == nullptr) continue;
    for (const char* column : columns) {
      for (const std::int64_t count : counts->integers(column)) numbers += static_cast<double>(count);
    }
  }
  numbers *= static_cast<double>(study.capture->info().headDim);
  const double groups = numbers > 0 ? kMostNumbers / numbers : 0;
  settings.jackknifeGroups =
      std::max(kFewestGroups, std::min(settings.jackknifeGroups, static_cast<std::int64_t>(groups)));
  return settings;
}

std::shared_ptr<const Study> withAnalysis(const Study& study, AnalysisFile analysis) {
  auto changed = std::make_shared<Study>(study);
  changed->analysis = std::make_shared<const AnalysisFile>(std::move(analysis));
  return changed;
}

std::shared_ptr<const Study> studyOfAnalysis(const fs::path& file, const std::vector<fs::path>& elsewhere,
                                             Progress& progress) {
  auto study = std::make_shared<Study>();
  auto analysis = std::make_shared<const AnalysisFile>(readAnalysis(file, DamagedTables::LeaveOut));
  study->capture = captureOf(analysis->provenance, file, elsewhere, progress);
  const Json& facts = analysis->provenance.capture;
  study->title = titleOf(facts.is_object() && facts.contains("model") && facts["model"].is_string()
                             ? facts["model"].get<std::string>()
                             : "",
                         file);
  const Table* heads = analysis->find("heads");
  if (heads != nullptr && heads->find("ap_overall_plain") != nullptr) study->title += ", bias-corrected";
  study->file = pathText(file);
  study->analysis = std::move(analysis);
  return study;
}

}  // namespace

std::shared_ptr<const Study> openStudy(const fs::path& file, const AnalysisSettings& settings, int threads,
                                       Progress& progress, DamagedHeads damaged,
                                       const std::vector<fs::path>& elsewhere) {
  switch (storedKindOf(file)) {
    case StoredKind::Capture:
      return studyOfCapture(file, settings, threads, progress, damaged);
    case StoredKind::Analysis:
      return studyOfAnalysis(file, elsewhere, progress);
    case StoredKind::Other:
      break;
  }
  throw InputError({file, "", "a capture or an analysis of this program", foreignContentOf(file)});
}

bool lacksIntervals(const Study& study) {
  const Table* heads = study.analysis->find("heads");
  return isOfCapture(study) && study.capture->info().examples.size() > 1 && heads != nullptr &&
         heads->find("ap_overall_low") == nullptr;
}

bool hasAddedIntervals(const Study& study) {
  const Table* heads = study.analysis->find("heads");
  return isOfCapture(study) && heads != nullptr && heads->find("ap_overall_low") != nullptr;
}

std::shared_ptr<const Study> withKeptIntervals(std::shared_ptr<const Study> study) {
  if (!lacksIntervals(*study)) return study;
  auto kept = readCached(cachePlace(pathOfText(study->file), study->capture->info(), kIntervalsSuffix),
                         study->capture->info());
  if (!kept || kept->provenance.programVersion != kVersion) return study;
  try {
    if (kept->provenance.settingsHash != settingsHashOf(intervalSettings(*study))) return study;
  } catch (const Error&) {
    return study;  // of an analysis that states neither settings nor counts; it is shown as it is
  }
  return withAnalysis(*study, std::move(*kept));
}

std::shared_ptr<const Study> withIntervals(const Study& study, int threads, Progress& progress) {
  AnalysisFile analysis = analyzeCapture(*study.capture, intervalSettings(study), threads, progress,
                                         study.analysis.get(), DamagedHeads::LeaveOut);
  const CaptureInfo& info = study.capture->info();
  // Heads that were damaged since: what is shown of them stays.
  if (analysis.find("heads")->rows() < study.analysis->find("heads")->rows())
    return std::make_shared<const Study>(study);
  const fs::path place = cachePlace(pathOfText(study.file), info, kIntervalsSuffix);
  if (!place.empty() && isComplete(analysis, info)) keep(analysis, {place}, {}, info, progress);
  return withAnalysis(study, std::move(analysis));
}

}  // namespace plastiscope
