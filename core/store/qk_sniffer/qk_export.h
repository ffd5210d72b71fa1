#pragma once
// Exports a capture as a qk-sniffer data set (Parquet).
#include <filesystem>

#include "core/base/progress.h"

namespace plastiscope {

struct QkExportRequest {
  std::filesystem::path capture, out;
  bool preRope = false;  // export the vectors before RoPE of a capture with both points
};

// Writes the folder atomically. InputError: not a capture, a folder that is not empty, more than 100 layers
// or heads, two examples whose ids have the same low 32 bits; UsageError: preRope for a capture without it;
// Stopped; ResourceError.
void exportQkSniffer(const QkExportRequest& request, Progress& progress);

}  // namespace plastiscope
