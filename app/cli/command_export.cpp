#include <CLI/CLI.hpp>
#include <cstdio>
#include <utility>
#include <vector>

#include "app/cli/command.h"
#include "app/cli/command_export_qk_sniffer.h"
#include "app/cli/table_output.h"
#include "core/base/foreign_text.h"
#include "core/store/analysis_file.h"
#include "core/store/table_folder.h"

namespace plastiscope {

namespace {

std::pair<CLI::App*, CommandRun> addExportCsv(CLI::App& app, GlobalOptions& /*global*/) {
  struct Options {
    std::string file, out;
    bool force = false;
  };
  auto options = std::make_shared<Options>();
  CLI::App* csv = app.add_subcommand("csv", "All tables of an analysis as CSV, with provenance.json");
  csv->add_option("ANALYSIS", options->file, "Analysis file")->required();
  csv->add_option("--out", options->out, "Folder for the tables")->required();
  addForce(*csv, options->force);
  csv->footer("Example:\n  plastiscope-cli export csv study.analysis.h5 --out tables");
  return {csv, [options](const GlobalOptions& global, Progress&) {
            const AnalysisFile analysis = readAnalysis(options->file);
            exportCsv(analysis, options->out, {.otherSettings = true, .force = options->force});
            if (!global.quiet)
              std::printf("%zu tables in %s\n", analysis.tables.size(),
                          sanitized(options->out, kLongestMessage).c_str());
          }};
}

// Adding a form = its own file + one line.
constexpr std::pair<CLI::App*, CommandRun> (*kForms[])(CLI::App& app, GlobalOptions& global) = {
    addExportCsv,
    addExportQkSniffer,
};

}  // namespace

CommandRun addExport(CLI::App& app, GlobalOptions& global) {
  app.require_subcommand(1);
  std::vector<std::pair<CLI::App*, CommandRun>> forms;
  for (const auto add : kForms) forms.push_back(add(app, global));
  return [forms](const GlobalOptions& globals, Progress& progress) {
    for (const auto& [form, run] : forms) {
      if (form->parsed()) run(globals, progress);
    }
  };
}

}  // namespace plastiscope
