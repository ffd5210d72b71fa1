#pragma once
// The tables of an analysis as a folder of CSV files, whichever command or window writes them.
#include <filesystem>
#include <string>
#include <vector>

#include "core/store/analysis_file.h"
#include "core/store/table_folder.h"

namespace plastiscope {

// A capture among the inputs of tables: the same for the capture and for every analysis of it.
TableSource captureSource(const std::filesystem::path& file, const std::string& fingerprint,
                          const std::string& settingsHash, const Json& facts);
TableSource captureSource(const AnalysisProvenance& provenance);
// An analysis as an input: its settings and its program belong to it.
TableSource analysisSource(const std::filesystem::path& file, const AnalysisProvenance& provenance);

// Tables of `analyze`, with the settings as resolved.
TableOrigin analysisOrigin(const AnalysisProvenance& provenance);

void exportCsv(const AnalysisFile& analysis, const std::filesystem::path& folder, const TableRules& rules);

}  // namespace plastiscope
