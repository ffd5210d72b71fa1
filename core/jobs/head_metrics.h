#pragma once
// Numbers about heads that other programs computed, as further columns of an analysis' heads.csv: they
// colour, filter and compare heads as its own columns do. The file records where they came from.
#include <filesystem>
#include <string>
#include <vector>

#include "core/store/analysis_file.h"

namespace plastiscope {

struct HeadMetricsRequest {
  // A list in JSON with one flat object a head, {"layer": 0, "head": 1, NAME: number, ...}, as HeadVis'
  // scatter_data.json (or the folder that has one), or CSV with the columns layer and head.
  std::filesystem::path file;
  std::string prefix = "imported_";  // before each name, so that none is taken for a column of the analysis
};

struct ImportedMetrics {
  AnalysisFile analysis;
  std::vector<std::string>
      columns;  // as they are called in the analysis; those of the same name are replaced
  std::vector<std::string> leftOut;  // names in the file that hold no numbers
  std::int64_t heads = 0;            // of the analysis that the file has
  std::int64_t otherHeads = 0;       // of the file that the analysis has not
};

// InputError names file and place: what is no such list, a head twice, a text among numbers, no head of the
// analysis. UsageError: a prefix with which a name is that of a column of the analysis itself.
ImportedMetrics importHeadMetrics(AnalysisFile analysis, const HeadMetricsRequest& request);

// The columns of an analysis that were imported.
std::vector<std::string> importedColumns(const AnalysisProvenance& provenance);
// An analysis with the imported columns of another one of the same heads.
AnalysisFile withImportedOf(const AnalysisFile& from, AnalysisFile analysis);

}  // namespace plastiscope
