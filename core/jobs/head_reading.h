#pragma once
// The rows of one head as its analysis reads them: for questions about a single head.
#include "core/analysis/head_rows.h"
#include "core/analysis/settings.h"
#include "core/capture/head_choice.h"
#include "core/store/capture_file.h"

namespace plastiscope {

// Everything that the analysis of one head starts from.
struct HeadRows {
  HeadPlace place;
  KindRows query, key;
};
// UsageError for a head that was not captured; InputError for rows that do not belong together.
HeadRows readHead(const CaptureFile& capture, const HeadName& name, AnalysisSettings settings);

}  // namespace plastiscope
