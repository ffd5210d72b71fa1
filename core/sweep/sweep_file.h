#pragma once
// A sweep: models x texts x settings, as one TOML file says them. Its keys are the options of the commands
// `capture` and `analyze`, with the names, values and sentences that these have on the command line.
#include <filesystem>
#include <string>
#include <vector>

#include "core/capture/capture_request.h"

namespace plastiscope {

struct SweepAnalysis {
  std::string name;                    // of the settings; "" = the only ones
  std::filesystem::path out;           // NAME.analysis.h5, or NAME.SETTINGS.analysis.h5
  std::vector<std::string> arguments;  // of `plastiscope-cli analyze`, which differ from the defaults
};

// One combination of a model, texts and settings of a capture.
struct SweepRun {
  std::string name;                // of its files: MODEL_TEXTS_SETTINGS, as far as they have names
  std::string model, texts, kind;  // the three names
  CaptureRequest capture;
  std::vector<SweepAnalysis> analyses;
};

// In the order of the file, models outermost. Paths of the file are relative to its folder, outputs lie in
// `library`. InputError with the line: no TOML, an unknown key, a wrong value, a name that appears twice, two
// runs with one file name, a pattern that no file fits.
std::vector<SweepRun> readSweep(const std::filesystem::path& file, const std::filesystem::path& library);

}  // namespace plastiscope
