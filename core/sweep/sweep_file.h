#pragma once
// A sweep: models x texts x settings, described by one TOML file. Its keys are the options of `capture` and
// `analyze`, with the names, values and error messages of the command line.
#include <filesystem>
#include <string>
#include <vector>

#include "core/capture/capture_request.h"

namespace plastiscope {

struct SweepAnalysis {
  std::string name;                    // name of the settings; "" = the only ones
  std::filesystem::path out;           // NAME.analysis.h5, or NAME.SETTINGS.analysis.h5
  std::vector<std::string> arguments;  // arguments of `plastiscope-cli analyze` that differ from the defaults
};

// One combination of a model, texts and settings of a capture.
struct SweepRun {
  std::string name;                // of its files: MODEL_TEXTS_SETTINGS, without unnamed parts
  std::string model, texts, kind;  // names of its parts
  CaptureRequest capture;
  std::vector<SweepAnalysis> analyses;
};

// Reads the runs in the order of the file, models outermost. Paths in the file are relative to its folder;
// outputs go to `library`. InputError with the line: invalid TOML, an unknown key, a wrong value, a repeated
// name, two runs with the same file name, a pattern that matches no file.
std::vector<SweepRun> readSweep(const std::filesystem::path& file, const std::filesystem::path& library);

}  // namespace plastiscope
