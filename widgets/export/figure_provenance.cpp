#include "widgets/export/figure_provenance.h"

#include <QDateTime>

#include "core/base/json.h"
#include "core/base/path_text.h"
#include "core/base/version.h"
#include "core/compare/reference_data.h"
#include "core/views/study_facts.h"

namespace plastiscope {

namespace {

// Path with its folder, so that the input can be found again; only the name for reproducible files, which may
// come from several machines.
std::string fileOf(const Study& study, bool fixedDate) {
  if (publishedIdOf(study.file)) return study.file;  // built into the program
  const std::filesystem::path file = pathOfText(study.file);
  if (fixedDate || file.empty()) return pathText(file.filename());
  std::error_code failed;
  const auto absolute = std::filesystem::absolute(file, failed);
  return pathText(failed ? file : absolute.lexically_normal());
}

// Identity of a study: its analysis, settings, and capture if available.
Json identityOf(const Study& study, bool fixedDate) {
  AnalysisProvenance provenance = study.analysis->provenance;
  if (fixedDate) provenance.captureFile = std::filesystem::path(provenance.captureFile).filename().string();
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
  if (figureKind(spec.figure).takes(FigureOption::Plasticity))
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

}  // namespace plastiscope
