#include "core/jobs/study_job.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "core/base/checked_json.h"
#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/base/hub_cache.h"
#include "core/base/json.h"
#include "core/base/path_text.h"
#include "core/compare/published_figures.h"
#include "core/jobs/analysis_identity.h"
#include "core/jobs/head_metrics.h"
#include "core/jobs/head_work.h"
#include "core/jobs/row_subset.h"
#include "core/jobs/study_finder.h"
#include "core/store/stored_file.h"
#include "core/views/study_facts.h"

namespace plastiscope {

namespace fs = std::filesystem;

namespace {

constexpr const char *kSuffix = ".analysis.h5", *kIntervalsSuffix = ".intervals.analysis.h5";
// Limit of the background jackknife: numbers of rows and pairs that all groups process.
constexpr double kMaxNumbers = 5e10;
constexpr std::int64_t kFewestGroups = 20;

fs::path folderOf(const fs::path& file) {
  return file.has_parent_path() ? file.parent_path() : fs::path(".");
}

// The user's cache folder of this program; empty if not known.
fs::path cacheFolder() {
  return below(userCacheFolder(), "plastiscope/analyses");
}

StudyId captureIdOf(const CaptureInfo& info) {
  return StudyId{info.fingerprint, info.settingsHash, {}}.knownOrEmpty();
}

// Path in the user's cache folder for a capture, independent of where the capture lies; empty if there is no
// folder.
fs::path cachePlace(const fs::path& capture, const CaptureInfo& info, const std::string& suffix) {
  const fs::path cache = cacheFolder();
  const StudyId id = captureIdOf(info);
  std::error_code code;
  const fs::path absolute = fs::absolute(capture, code);
  if (cache.empty() || (!id.known() && code)) return {};
  return cache / ((id.known() ? id.digest() : sha256Hex(absolute.string()).substr(0, 16)) + suffix);
}

// A possible place of a capture's analysis and its content.
struct AnalysisPlace {
  fs::path file;
  bool besideCapture = false, there = false;
  bool free = true;                              // may be written or replaced
  std::shared_ptr<const AnalysisFile> analysis;  // of the capture; null if damaged or of another capture
};

// Replaces an analysis next to the capture only if it is damaged or of another capture: one with other
// settings may be the user's own. Writes nothing next to files shipped with the program.
AnalysisPlace lookAt(const fs::path& file, bool besideCapture, const CaptureInfo& info) {
  std::error_code code;
  AnalysisPlace place{file, besideCapture, fs::exists(file, code), !(besideCapture && isShipped(file)), {}};
  if (!place.there) return place;
  try {
    const StoredFile stored(file);
    if (stored.kind() != FileType::Analysis) stored.refuse();
    try {
      const auto analysis = stored.analysis();
      if (belongsTo(analysis->provenance, info)) place.analysis = analysis;
    } catch (const InputError&) {
      // computed anew
    }
    place.free = place.free && !(besideCapture && place.analysis);
  } catch (const InputError&) {
    place.free = false;
  }
  return place;
}

// Writes the analysis to the first writable place and returns it; if there is none, it is computed again next
// time.
fs::path writeIntoFirst(const AnalysisFile& analysis, std::vector<AnalysisPlace> places,
                        const CaptureInfo& info, Progress& progress) {
  std::string why;
  for (AnalysisPlace& place : places) {
    std::error_code code;
    if (!place.there && fs::exists(place.file, code))  // created in the meantime
      place = lookAt(place.file, place.besideCapture, info);
    if (!place.free) continue;
    try {
      writeAnalysis(analysis, place.file);
      return place.file;
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::Input && error.kind() != ErrorKind::Resources) throw;
      why = error.what();
    }
  }
  progress.warned("the analysis could not be kept for the next time: " + why);
  return {};
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

// Whether no requested head was left out.
bool isComplete(const AnalysisFile& analysis, const CaptureInfo& info) {
  const AnalysisSettings settings = AnalysisSettings::fromJson(analysis.provenance.settings);
  return analysis.find("heads")->rows() == chooseHeadWork(info, settings).heads;
}

// Versions without aligned plasticity left it out under the same settings.
bool isOutdated(const AnalysisFile& analysis) {
  const Table* heads = analysis.find("heads");
  return heads != nullptr && heads->find("ap_aligned") == nullptr &&
         AnalysisSettings::fromJson(analysis.provenance.settings).queries != "binned";
}

// The cached analyses of a capture. Looks at the places in order, each once.
class KeptAnalyses {
 public:
  KeptAnalyses(const fs::path& capture, const CaptureInfo& info) : m_capture(capture), m_info(info) {}

  // The analysis with this settings hash and its path; null if it has to be computed.
  std::pair<std::shared_ptr<const AnalysisFile>, fs::path> find(const std::string& hash, Progress& progress) {
    const auto fits = [&](const AnalysisPlace& place) {
      return place.analysis && place.analysis->provenance.settingsHash == hash &&
             !isOutdated(*place.analysis);
    };
    m_places.push_back(lookAt(fs::path(m_capture).replace_extension(kSuffix), true, m_info));
    const fs::path cached = cachePlace(m_capture, m_info, kSuffix);
    if (!fits(m_places.back()) && !cached.empty()) m_places.push_back(lookAt(cached, false, m_info));
    if (fits(m_places.back())) return {m_places.back().analysis, m_places.back().file};
    StudyId wanted = captureIdOf(m_info);
    wanted.analysis = hash;
    StudyFinder finder(progress);
    finder.remember(m_capture, {});  // never matches
    for (const AnalysisPlace& place : m_places) finder.remember(place.file, {});
    const auto renamed = finder.find(wanted, m_places.front().file, {folderOf(m_capture)});
    if (!renamed) return {};
    try {
      const auto analysis = finder.take(*renamed)->analysis();
      if (belongsTo(analysis->provenance, m_info) && !isOutdated(*analysis)) return {analysis, *renamed};
    } catch (const InputError&) {
      // damaged
    }
    return {};
  }

  // An analysis with other settings, parts of which may be reused. Null if there is none.
  const AnalysisFile* other() const {
    const auto found =
        std::ranges::find_if(m_places, [](const auto& place) { return place.analysis != nullptr; });
    return found == m_places.end() ? nullptr : found->analysis.get();
  }
  fs::path keep(const AnalysisFile& analysis, Progress& progress) const {
    return writeIntoFirst(analysis, m_places, m_info, progress);
  }

 private:
  const fs::path& m_capture;
  const CaptureInfo& m_info;
  std::vector<AnalysisPlace> m_places;
};

std::shared_ptr<const Study> studyOfCapture(const StoredFile& file, const AnalysisSettings& settings,
                                            int threads, Progress& progress, DamagedHeads damaged) {
  auto study = std::make_shared<Study>();
  study->capture = file.capture();
  const CaptureInfo& info = study->capture->info();
  study->title = titleOf(info.modelName, file.path());
  study->file = pathText(file.path());
  KeptAnalyses kept(file.path(), info);
  std::tie(study->analysis, study->analysisFile) =
      kept.find(settingsHashOf(resolvedSettings(settings, info)), progress);
  if (study->analysis) return study;
  auto analysis = std::make_shared<AnalysisFile>(
      analyzeCapture(*study->capture, settings, threads, progress, {kept.other(), damaged}));
  study->analysisFile = isComplete(*analysis, info) ? kept.keep(*analysis, progress) : fs::path();
  study->analysis = std::move(analysis);
  return study;
}

// The capture of an analysis, searched as described at openStudy; null if none matches.
std::shared_ptr<const CaptureFile> captureOf(const AnalysisProvenance& provenance,
                                             const fs::path& analysisFile,
                                             const std::vector<fs::path>& elsewhere, Progress& progress) {
  const fs::path recorded = pathOfText(provenance.captureFile), folder = folderOf(analysisFile);
  std::vector<fs::path> places = {recorded, folder / recorded, folder / recorded.filename()};
  if (const std::string name = analysisFile.string(); name.ends_with(kSuffix)) {
    places.emplace_back(name.substr(0, name.size() - std::string(kSuffix).size()) + ".h5");
  }
  places.insert(places.end(), elsewhere.begin(), elsewhere.end());
  // Null: another file of that name; the analysis is then shown without rows.
  const auto ifFits = [&](const auto& open) -> std::shared_ptr<const CaptureFile> {
    try {
      auto capture = open();
      if (belongsTo(provenance, capture->info())) return capture;
    } catch (const InputError&) {
    }
    return nullptr;
  };
  for (const fs::path& place : places) {
    std::error_code code;
    if (place.empty() || !fs::is_regular_file(place, code)) continue;
    if (auto capture = ifFits([&] { return openCapture(place); })) return capture;
  }
  const StudyId id =
      StudyId{provenance.captureFingerprint, provenance.captureSettingsHash, {}}.knownOrEmpty();
  StudyFinder finder(progress);
  finder.remember(analysisFile, {});
  const auto renamed = finder.find(id, recorded, {folder});
  return renamed ? ifFits([&] { return finder.take(*renamed)->capture(); }) : nullptr;
}

// Whether the study was opened from a capture, not from an analysis file.
bool isOfCapture(const Study& study) {
  return study.capture != nullptr && study.file == pathText(study.capture->path());
}

// The settings of a study's analysis with added intervals.
AnalysisSettings intervalSettings(const Study& study) {
  AnalysisSettings settings = AnalysisSettings::fromJson(study.analysis->provenance.settings);
  settings.interval = "jackknife";
  double numbers = 0;  // processed by one group
  for (const auto& [table, columns] : {std::pair("heads", std::vector{"query_rows", "key_rows"}),
                                       std::pair("profile", std::vector{"pairs_used"})}) {
    const Table* counts = study.analysis->find(table);
    if (counts == nullptr) continue;
    for (const char* column : columns) {
      for (const std::int64_t count : counts->integers(column)) numbers += count;
    }
  }
  numbers *= study.capture->info().headDim;
  const double groups = numbers > 0 ? kMaxNumbers / numbers : 0;
  settings.jackknifeGroups =
      std::max(kFewestGroups, std::min(settings.jackknifeGroups, static_cast<std::int64_t>(groups)));
  return settings;
}

std::shared_ptr<const Study> studyOfAnalysis(const StoredFile& stored, const std::vector<fs::path>& elsewhere,
                                             Progress& progress) {
  const fs::path& file = stored.path();
  auto study = std::make_shared<Study>();
  const auto analysis = stored.analysis(DamagedTables::LeaveOut);
  study->capture = captureOf(analysis->provenance, file, elsewhere, progress);
  study->title = titleOf(textOr(analysis->provenance.capture, "model"), file);
  const Table* heads = analysis->find("heads");
  if (heads != nullptr && heads->find("ap_overall_plain") != nullptr) study->title += ", bias-corrected";
  study->file = pathText(file);
  if (study->capture) study->capture = subsetOf(study->capture, settingsOf(*analysis));
  study->analysis = analysis;
  return study;
}

}  // namespace

std::shared_ptr<const Study> openStudy(const StoredFile& file, const AnalysisSettings& settings, int threads,
                                       Progress& progress, const OpenOptions& options) {
  switch (file.kind()) {
    case FileType::Capture:
      return studyOfCapture(file, settings, threads, progress, options.damaged);
    case FileType::Analysis:
      return studyOfAnalysis(file, options.elsewhere, progress);
    case FileType::Other:
      break;
  }
  file.refuse();
}

std::shared_ptr<const Study> openStudy(const fs::path& file, const AnalysisSettings& settings, int threads,
                                       Progress& progress, const OpenOptions& options) {
  if (const std::string name = pathText(file); publishedIdOf(name)) return publishedStudy(name);
  return openStudy(StoredFile(file), settings, threads, progress, options);
}

std::shared_ptr<const Study> withAnalysis(const Study& study, std::shared_ptr<const AnalysisFile> analysis) {
  auto changed = std::make_shared<Study>(study);
  if (!importedColumns(study.analysis->provenance).empty())
    analysis = std::make_shared<const AnalysisFile>(withImportedOf(*study.analysis, *analysis));
  changed->analysis = std::move(analysis);
  return changed;
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
  const CaptureInfo& info = study->capture->info();
  const fs::path file = cachePlace(pathOfText(study->file), info, kIntervalsSuffix);
  const auto kept = file.empty() ? nullptr : lookAt(file, false, info).analysis;
  if (!kept || !isOfThisVersion(kept->provenance)) return study;
  try {
    if (kept->provenance.settingsHash != settingsHashOf(intervalSettings(*study))) return study;
  } catch (const Error&) {
    return study;  // the analysis states neither settings nor counts
  }
  return withAnalysis(*study, kept);
}

std::shared_ptr<const Study> withIntervals(const Study& study, int threads, Progress& progress) {
  AnalysisFile analysis = analyzeCapture(*study.capture, intervalSettings(study), threads, progress,
                                         {study.analysis.get(), DamagedHeads::LeaveOut});
  const CaptureInfo& info = study.capture->info();
  // Heads were damaged since: keeps what is shown.
  if (analysis.find("heads")->rows() < study.analysis->find("heads")->rows())
    return std::make_shared<const Study>(study);
  const fs::path place = cachePlace(pathOfText(study.file), info, kIntervalsSuffix);
  if (!place.empty() && isComplete(analysis, info))
    writeIntoFirst(analysis, {lookAt(place, false, info)}, info, progress);
  return withAnalysis(study, std::make_shared<const AnalysisFile>(std::move(analysis)));
}

std::shared_ptr<const Study> withRows(const Study& whole, const RowChoice& choice, int threads,
                                      Progress& progress) {
  AnalysisSettings settings = AnalysisSettings::fromJson(whole.analysis->provenance.settings);
  if (hasAddedIntervals(whole)) settings.interval = AnalysisSettings().interval;
  useRowChoice(settings, choice);
  Study part = whole;
  part.capture = subsetOf(whole.capture, settings);
  return withAnalysis(
      part, std::make_shared<const AnalysisFile>(analyzeCapture(*part.capture, settings, threads, progress,
                                                                {nullptr, DamagedHeads::LeaveOut})));
}

}  // namespace plastiscope
