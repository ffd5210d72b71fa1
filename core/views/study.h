#pragma once
// Content of a tab: a capture and its analysis, read-only.
#include <filesystem>
#include <memory>
#include <string>

#include "core/store/analysis_file.h"
#include "core/store/capture_file.h"

namespace plastiscope {

struct Study {
  std::shared_ptr<const CaptureFile> capture;  // null when only an analysis was found: no plane, no row views
  std::shared_ptr<const AnalysisFile> analysis;  // never null
  std::string title;                             // "SmolLM2-135M-Instruct · licences 4k"
  std::string file;                              // opened file; may be empty
  std::filesystem::path analysisFile;            // file for the analysis of a capture; may be empty
};

}  // namespace plastiscope
