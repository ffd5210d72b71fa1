#pragma once
// Imports values per head from other programs as further columns of an analysis' heads.csv; they colour,
// filter and compare heads like its own columns. The file records their source.
#include <filesystem>
#include <string>
#include <vector>

#include "core/store/analysis_file.h"

namespace plastiscope {

struct HeadMetricsRequest {
  // A JSON list with one flat object per head, {"layer": 0, "head": 1, NAME: number, ...}, as
  // scatter_data.json of HeadVis (or the folder that has one), or CSV with the columns layer and head.
  std::filesystem::path file;
  std::string prefix = "imported_";  // prefix of each name, to keep it distinct from own columns
};

struct ImportedMetrics {
  AnalysisFile analysis;
  std::vector<std::string> columns;  // names in the analysis; columns with the same name are replaced
  std::vector<std::string> leftOut;  // names in the file without numbers
  std::int64_t heads = 0;            // heads of the analysis that are in the file
  std::int64_t otherHeads = 0;       // heads of the file that are not in the analysis
};

// InputError names file and place: not such a list, a repeated head, text among numbers, no head of the
// analysis. UsageError: with the prefix a name equals that of an own column of the analysis.
ImportedMetrics importHeadMetrics(AnalysisFile analysis, const HeadMetricsRequest& request);

// ---- Tables of probes, intervention studies and compositions (core/causal)

// The tables that are taken into an analysis, where panels, figures, filters and comparisons find them.
const std::vector<std::string>& causalTables();

struct ImportedCauses {
  AnalysisFile analysis;
  std::vector<std::string> tables, columns;  // taken; added to heads.csv: probe_retrieval_score
};

// `folder`: written by `probe`, `study` or `composition`. Tables of the same name are replaced. InputError if
// the folder has none of these tables, or they have no head of the analysis.
ImportedCauses importCauses(AnalysisFile analysis, const std::filesystem::path& folder);

// Names of the imported columns.
std::vector<std::string> importedColumns(const AnalysisProvenance& provenance);
// Copies the imported columns and tables of another analysis of the same heads.
AnalysisFile withImportedOf(const AnalysisFile& from, AnalysisFile analysis);

}  // namespace plastiscope
