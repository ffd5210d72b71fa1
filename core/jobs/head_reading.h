#pragma once
// The rows of heads as every analysis reads them.
#include <string>
#include <vector>

#include "core/analysis/head_rows.h"
#include "core/analysis/settings.h"
#include "core/capture/head_choice.h"
#include "core/store/capture_file.h"

namespace plastiscope {

// The name of an example, or its number where the capture has no name for it.
std::string exampleName(const CaptureInfo& info, std::int64_t example);

// Finite rows without repeats, no more than settings.maxRows; what was left out is told in `warnings`.
// InputError for positions outside the window.
VectorRows readRows(const CaptureFile& capture, std::int64_t layer, std::int64_t head, RowSet set,
                    const AnalysisSettings& settings, std::vector<std::string>& warnings);

// Everything that the analysis of one head starts from.
struct HeadRows {
  HeadId place;
  VectorRows query, key;
};
// For questions about a single head. UsageError for a head that was not captured; InputError for rows that do
// not belong together.
HeadRows readHead(const CaptureFile& capture, const HeadName& name, AnalysisSettings settings);

}  // namespace plastiscope
