#pragma once
// What the tables of an analysis need to know about the capture beside its rows.
#include "core/analysis/tables.h"
#include "core/store/capture_file.h"

namespace plastiscope {

// RoPE settings that this program cannot read leave the layers without frequencies.
TableContext tableContextOf(const CaptureInfo& info, const AnalysisSettings& settings);

}  // namespace plastiscope
