#include <CLI/CLI.hpp>
#include <cstdio>

#include "app/cli/command.h"
#include "app/cli/table_output.h"
#include "app/cli/terminal_progress.h"
#include "core/base/foreign_text.h"
#include "core/store/merge.h"
#include "core/store/output_place.h"

namespace plastiscope {

CommandRun addMerge(CLI::App& app, GlobalOptions& global) {
  struct Options {
    std::vector<std::string> parts;
    std::string out;
    bool fresh = false, force = false;
  };
  auto options = std::make_shared<Options>();
  app.add_option("PART", options->parts, "All parts of one capture, in any order")->required();
  app.add_option("--out", options->out, "The capture file to write")->required();
  app.add_flag("--fresh", options->fresh,
               "Replace a finished capture, and discard unfinished work of the output");
  addForce(app, options->force);
  app.add_option("--progress", global.progress, "auto, json or none")->capture_default_str();
  return [options](const GlobalOptions& globals, Progress& progress) {
    const std::vector<std::filesystem::path> parts(options->parts.begin(), options->parts.end());
    requireOutputPlace(options->out, captureOrDamagedOutput(), {parts, options->force});
    const MergeOutcome outcome = mergeCaptures(parts, options->out, options->fresh, progress);
    if (outcome == MergeOutcome::WasMerged) tell(globals, "merged already; --fresh merges again");
    if (!globals.quiet) std::printf("%s\n", sanitized(options->out, kLongestMessage).c_str());
  };
}

}  // namespace plastiscope
