#pragma once
// Imports a qk-sniffer data set (Parquet) as a capture, and exports a capture as one.
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/base/json_value.h"
#include "core/base/progress.h"

namespace plastiscope {

struct QkImportRequest {
  std::filesystem::path folder, out;
  std::string model;  // model folder, GGUF file or cached name; "" = none
  // Facts that the layout may lack. 0 or empty: from the model, the data set's metadata, or inferred from the
  // rows.
  std::int64_t window = 0, layers = 0, queryHeads = 0, keyHeads = 0, bucketSize = 0;
  std::string sampler, point;
  std::optional<double> rate;
  JsonValue rope;  // RoPE settings as in config.json; null = not given
  std::optional<std::vector<std::int64_t>> nopeLayers;
};

// Two passes: reads and checks everything except the vectors, then writes the capture head by head. Writes
// atomically and keeps the float32 values. Warns about ignored or unknown facts. UsageError if a fact
// is missing that only an option can give (the window); InputError names file and row; Stopped;
// ResourceError.
void importQkSniffer(const QkImportRequest& request, Progress& progress);

struct QkExportRequest {
  std::filesystem::path capture, out;
  bool preRope = false;  // export the vectors before RoPE of a capture with both points
};

// Writes the folder atomically. InputError: not a capture, a folder that is not empty, more than 100 layers
// or heads, two examples whose ids have the same low 32 bits; UsageError: preRope for a capture without it;
// Stopped; ResourceError.
void exportQkSniffer(const QkExportRequest& request, Progress& progress);

}  // namespace plastiscope
