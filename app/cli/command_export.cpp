#include <CLI/CLI.hpp>
#include <cstdio>

#include "app/cli/command.h"
#include "core/store/analysis_file.h"

namespace plastiscope {

CommandRun addExport(CLI::App& app, GlobalOptions& /*global*/) {
  struct Options {
    std::string file, out;
  };
  auto options = std::make_shared<Options>();
  app.require_subcommand(1);
  CLI::App* csv = app.add_subcommand("csv", "All tables of an analysis as CSV, with provenance.json");
  csv->add_option("ANALYSIS", options->file, "Analysis file")->required();
  csv->add_option("--out", options->out, "Folder for the tables")->required();
  csv->footer("Example:\n  plastiscope-cli export csv study.analysis.h5 --out tables");
  return [options](const GlobalOptions& global, Progress&) {
    const AnalysisFile analysis = readAnalysis(options->file);
    exportCsv(analysis, options->out);
    if (!global.quiet) std::printf("%zu tables in %s\n", analysis.tables.size(), options->out.c_str());
  };
}

}  // namespace plastiscope
