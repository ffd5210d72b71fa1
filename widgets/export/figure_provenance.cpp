#include "widgets/export/figure_provenance.h"

#include <QDateTime>

#include "core/base/checked_json.h"
#include "core/base/error.h"
#include "core/base/json.h"
#include "core/base/path_text.h"
#include "core/base/version.h"
#include "core/compare/reference_data.h"
#include "core/figures/parts.h"
#include "core/store/analysis_file.h"
#include "core/store/capture_file.h"
#include "core/store/stored_file.h"
#include "core/views/study_facts.h"
#include "widgets/export/figure_panels.h"

namespace fs = std::filesystem;

namespace plastiscope {

namespace {

// Path with its folder, so that the input can be found again; only the name for reproducible files, which may
// come from several machines.
std::string fileOf(const Study& study, bool fixedDate) {
  if (publishedIdOf(study.file)) return study.file;  // built into the program
  const fs::path file = pathOfText(study.file);
  if (fixedDate || file.empty()) return pathText(file.filename());
  std::error_code failed;
  const auto absolute = fs::absolute(file, failed);
  return pathText(failed ? file : absolute.lexically_normal());
}

// Identity of a study: its analysis, settings, and capture if available.
Json identityOf(const Study& study, bool fixedDate) {
  AnalysisProvenance provenance = study.analysis->provenance;
  if (fixedDate) provenance.captureFile = fs::path(provenance.captureFile).filename().string();
  Json json = {{"title", study.title},
               {"file", fileOf(study, fixedDate)},
               {"analysis", provenance.toJson()},
               {"capture_fingerprint", provenance.captureFingerprint},
               {"settings_hash", provenance.settingsHash}};
  if (study.capture == nullptr) return json;
  const CaptureInfo& info = study.capture->info();
  Json ids = Json::array();
  for (const CaptureExampleInfo& example : info.examples) ids.push_back(example.id);
  json["capture"] = {{"model", info.modelName},
                     {"architecture", info.architecture},
                     {"source", info.modelSource},
                     {"fingerprint", info.fingerprint},
                     {"rope", info.rope},
                     {"compute_dtype", info.computeDtype},
                     {"device", info.device},
                     {"settings", info.settings},
                     {"settings_hash", info.settingsHash},
                     {"program_version", info.programVersion},
                     {"examples", ids}};
  return json;
}

}  // namespace

Json figureProvenance(const Studies& studies, const FigureSpec& spec, bool fixedDate) {
  const FigureSize size = resolveSize(spec);
  Json json = {{"program", "plastiscope"}, {"program_version", std::string(kVersion)}};
  json["figure"] = spec.toJson();
  if (figureKind(spec.figure).takes("plasticity"))
    json["figure"]["plasticity"] = nameOf(shownPlasticity(studies, spec).kind);
  json["size"] = {{"width_inches", size.widthInches},
                  {"height_inches", size.heightInches},
                  {"label_points", size.labelPoints},
                  {"tick_points", size.tickPoints}};
  if (studies.size() == 1) {
    json.update(identityOf(*studies.front(), fixedDate));
  } else {
    Json inputs = Json::array();
    for (const auto& study : studies) inputs.push_back(identityOf(*study, fixedDate));
    json["inputs"] = std::move(inputs);
  }
  if (!fixedDate) {
    json["created"] = QDateTime::currentDateTimeUtc().toString(Qt::ISODate).toStdString();
  }
  return json;
}

// --- An exported figure ---------------------------------------------------------------------------------

namespace {

constexpr std::size_t kMaxStudies = 64;  // more than any figure shows

NamedStudy namedStudy(const Json& entry, const fs::path& figure) {
  if (!entry.is_object()) throw InputError({figure, "inputs", "a JSON object", "something else"});
  NamedStudy study;
  study.file = pathOfText(textOr(entry, "file"));
  // Figures of older versions name the capture only.
  if (study.file.empty() && entry.contains("analysis") && entry["analysis"].is_object())
    study.file = pathOfText(textOr(entry["analysis"], "capture_file"));
  study.modelFingerprint = textOr(entry, "capture_fingerprint");
  study.settingsHash = textOr(entry, "settings_hash");
  if (entry.contains("analysis") && entry["analysis"].is_object())
    study.captureHash = textOr(entry["analysis"], "capture_settings_hash");
  if (study.file.filename().empty())
    throw InputError({figure, "file", "the name of the capture behind the figure", "none"});
  return study;
}

// Identity of a file, for comparison with the provenance.
NamedStudy identityOf(const fs::path& file) {
  const StoredFile stored(file);
  if (stored.kind() == FileType::Analysis) {
    const auto analysis = stored.analysis(DamagedTables::LeaveOut);
    const AnalysisProvenance& provenance = analysis->provenance;
    return {file, provenance.captureFingerprint, provenance.captureSettingsHash, provenance.settingsHash};
  }
  const auto capture = stored.capture();
  return {file, capture->info().fingerprint, capture->info().settingsHash, {}};
}

// "" if the file is the figure's input, as far as both state it.
std::string differenceOf(const NamedStudy& wanted, const fs::path& file) {
  const NamedStudy found = identityOf(file);
  const auto differ = [](const std::string& a, const std::string& b) {
    return !a.empty() && !b.empty() && a != b;
  };
  const std::string name = pathText(file.filename());
  if (differ(wanted.modelFingerprint, found.modelFingerprint))
    return name + " is of another model than the figure: its fingerprint differs.";
  if (differ(wanted.captureHash, found.captureHash))
    return name + " was captured with other settings or texts than the figure was drawn from.";
  if (differ(wanted.settingsHash, found.settingsHash))
    return name + " was analysed with other settings than the figure.";
  return {};
}

std::vector<fs::path> placesOf(const NamedStudy& study, const fs::path& figure,
                               const std::vector<fs::path>& known) {
  const fs::path folder = figure.parent_path();
  std::vector<fs::path> places = {folder / study.file.filename()};
  // A bare name would be resolved against the working directory.
  if (study.file.has_parent_path()) places.insert(places.begin(), folder / study.file);
  for (const fs::path& file : known) {
    if (file.filename() == study.file.filename()) places.push_back(file);
  }
  return places;
}

}  // namespace

ExportedFigure readExportedFigure(const fs::path& file) {
  const Json json = readProvenance(file);
  ExportedFigure figure;
  std::error_code failed;
  figure.file = fs::absolute(file, failed);
  try {
    figure.spec = FigureSpec::fromJson(json["figure"]);
    // Versions before 1.1 knew binned values only.
    if (!json["figure"].contains("plasticity") && figureKind(figure.spec.figure).takes("plasticity"))
      figure.spec.plasticity = ApKind::Binned;
    figureKind(figure.spec.figure);
  } catch (const UsageError& error) {
    throw InputError({file, "figure", "settings of a figure that this version knows", error.what()});
  }
  if (!json.contains("inputs")) {
    figure.studies.push_back(namedStudy(json, file));
    return figure;
  }
  const Json& inputs = json["inputs"];
  if (!inputs.is_array() || inputs.size() > kMaxStudies)
    throw InputError(
        {file, "inputs", "a list of up to " + std::to_string(kMaxStudies) + " studies", "something else"});
  for (const Json& entry : inputs) figure.studies.push_back(namedStudy(entry, file));
  return figure;
}

std::map<std::string, int> looksOf(const ExportedFigure& figure) {
  std::vector<ComparedName> names;
  for (const NamedStudy& study : figure.studies) {
    ComparedName& name = names.emplace_back();
    const std::string file = pathText(study.file);
    name.digest =
        publishedIdOf(file) ? file : StudyId{study.modelFingerprint, study.captureHash, {}}.captureDigest();
    if (names.size() <= figure.spec.looks.size()) name.look = figure.spec.looks[names.size() - 1];
  }
  const std::vector<std::optional<int>> looks = captureLooks(names);
  std::map<std::string, int> known;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (looks[i]) known.try_emplace(names[i].digest, *looks[i]);
  }
  return known;
}

FoundStudies findStudies(const ExportedFigure& figure, const std::vector<fs::path>& known) {
  FoundStudies found;
  for (const NamedStudy& study : figure.studies) {
    if (publishedIdOf(pathText(study.file))) {  // built into the program
      found.files.push_back(study.file);
      continue;
    }
    fs::path best;
    std::string difference;
    for (const fs::path& place : placesOf(study, figure.file, known)) {
      std::error_code ignored;
      if (!fs::is_regular_file(place, ignored) || (!best.empty() && difference.empty())) continue;
      const std::string own = differenceOf(study, place);
      if (!best.empty() && !own.empty()) continue;
      best = place.lexically_normal();
      difference = own;
    }
    if (best.empty())
      throw InputError(pathText(figure.file.filename()) + " was drawn from " + pathText(study.file) +
                       ", which was not found there or beside the figure");
    found.files.push_back(best);
    if (!difference.empty()) found.differences.push_back(difference);
  }
  return found;
}

}  // namespace plastiscope
