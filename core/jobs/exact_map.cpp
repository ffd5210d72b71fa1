#include "core/jobs/exact_map.h"

#include "core/jobs/analyze_job.h"
#include "core/views/study_facts.h"

namespace plastiscope {

bool canRefineMap(const Study& study) {
  return study.capture && settingsOf(*study.analysis).pairs > 0;
}

MapData makeExactMap(const Study& study, HeadName head, Progress& progress) {
  AnalysisSettings settings = settingsOf(*study.analysis);
  settings.pairs = 0;
  settings.prefix = "start";  // no pair is drawn
  settings.bootstrap = 0;
  settings.heads = head.text();
  settings.layers.clear();
  const AnalysisFile analysis = analyzeCapture(*study.capture, settings, 1, progress);
  return makeMap(analysis, HeadScope{head, {}});
}

}  // namespace plastiscope
