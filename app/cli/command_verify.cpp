#include <CLI/CLI.hpp>
#include <cstdio>

#include "app/cli/command.h"
#include "core/base/error.h"
#include "core/base/foreign_text.h"
#include "core/base/path_text.h"
#include "core/store/verify.h"

namespace plastiscope {

CommandRun addVerify(CLI::App& app, GlobalOptions& /*global*/) {
  struct Options {
    std::vector<std::string> files;
    bool json = false;
    std::string sandbox;
  };
  auto options = std::make_shared<Options>();
  app.add_option("FILE", options->files, "Captures and analyses")->required();
  app.add_flag("--json", options->json,
               "A line of JSON for each file: file, kind, intact, checks, notes, problems");
  // How this program is asked by itself and by the window (sandboxed_reader.h).
  app.add_option("--sandbox", options->sandbox)->group("");
  return [options](const GlobalOptions& global, Progress& progress) {
    const std::vector<std::string>& files = options->files;
    if (!options->sandbox.empty()) {
      std::printf("%s\n", answerInSandbox(files.front(), options->sandbox).c_str());
      return;
    }
    std::vector<std::string> damaged;
    for (const std::string& file : files) {
      progress.throwIfStopped();
      const VerifyReport report = verifyFile(file);
      if (!report.problems.empty()) damaged.push_back(file);
      if (options->json) {
        std::printf("%s\n", jsonOf(report).c_str());
        continue;
      }
      if (!global.quiet) {
        std::printf("%s: %s\n", sanitized(file, kLongestMessage).c_str(),
                    report.problems.empty() ? "intact" : "damaged");
        for (const std::string& check : report.checks)
          std::printf("  ok       %s\n", sanitized(check, kLongestMessage).c_str());
        for (const std::string& note : report.notes)
          std::printf("  note     %s\n", sanitized(note, kLongestMessage).c_str());
      }
      for (const std::string& problem : report.problems) {
        const std::string name = pathText(file) + ": ";
        const bool named = !global.quiet && problem.starts_with(name);  // by the line above
        std::printf("  PROBLEM  %s\n",
                    sanitized(problem.substr(named ? name.size() : 0), kLongestMessage).c_str());
      }
    }
    if (damaged.size() == 1) throw InputError(damaged.front() + " is damaged: its problems are listed above");
    if (!damaged.empty())
      throw InputError(std::to_string(damaged.size()) + " of " + std::to_string(files.size()) +
                       " files are damaged: their problems are listed above");
  };
}

}  // namespace plastiscope
