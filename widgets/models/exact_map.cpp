#include "widgets/models/exact_map.h"

#include "core/analysis/settings.h"
#include "core/jobs/analyze_job.h"

namespace plastiscope {
namespace {

AnalysisSettings settingsOf(const Study& study) {
  const Json& settings = study.analysis->provenance.settings;
  return settings.is_object() ? AnalysisSettings::fromJson(settings) : AnalysisSettings();
}

}  // namespace

bool canRefineMap(const Study& study) {
  return study.capture && settingsOf(study).pairs > 0;
}

MapData makeExactMap(const Study& study, HeadName head, Progress& progress) {
  AnalysisSettings settings = settingsOf(study);
  settings.pairs = 0;
  settings.prefix = "start";  // no pair is drawn
  settings.bootstrap = 0;
  settings.heads = head.text();
  settings.layers.clear();
  const AnalysisFile analysis = analyzeCapture(*study.capture, settings, 1, progress);
  return makeMap(analysis, HeadScope{head, {}});
}

}  // namespace plastiscope
