#include "app/cli/command_export_qk_sniffer.h"

#include <CLI/CLI.hpp>
#include <cstdio>

#include "core/base/foreign_text.h"
#include "core/store/qk_sniffer/qk_export.h"

namespace plastiscope {

std::pair<CLI::App*, CommandRun> addExportQkSniffer(CLI::App& app, GlobalOptions& global) {
  struct Options {
    std::string file, out;
    bool preRope = false;
  };
  auto options = std::make_shared<Options>();
  CLI::App* qk = app.add_subcommand("qk-sniffer", "A capture in the Parquet layout of qk-sniffer");
  qk->add_option("CAPTURE", options->file, "Capture file")->required();
  qk->add_option("--out", options->out, "Folder to make")->required();
  qk->add_flag("--pre-rope", options->preRope, "The vectors before RoPE of a capture that has both");
  qk->add_option("--progress", global.progress, "auto, json or none")->capture_default_str();
  qk->footer("Example:\n  plastiscope-cli export qk-sniffer study.h5 --out sniffed-qk");
  return {qk, [options](const GlobalOptions& globals, Progress& progress) {
            exportQkSniffer({options->file, options->out, options->preRope}, progress);
            if (!globals.quiet) std::printf("%s\n", sanitized(options->out, kLongestMessage).c_str());
          }};
}

}  // namespace plastiscope
