#include <CLI/CLI.hpp>
#include <cstdio>

#include "app/cli/command.h"
#include "core/base/error.h"
#include "core/store/verify.h"

namespace plastiscope {

CommandRun addVerify(CLI::App& app, GlobalOptions& /*global*/) {
  auto files = std::make_shared<std::vector<std::string>>();
  app.add_option("FILE", *files, "Captures and analyses")->required();
  return [files](const GlobalOptions& global, Progress& progress) {
    std::vector<std::string> damaged;
    for (const std::string& file : *files) {
      progress.throwIfStopped();
      const VerifyReport report = verifyFile(file);
      if (!global.quiet) {
        std::printf("%s: %s\n", file.c_str(), report.problems.empty() ? "intact" : "damaged");
        for (const std::string& check : report.checks) std::printf("  ok       %s\n", check.c_str());
        for (const std::string& note : report.notes) std::printf("  note     %s\n", note.c_str());
      }
      for (const std::string& problem : report.problems) {
        const bool named = !global.quiet && problem.starts_with(file + ": ");  // by the line above
        std::printf("  PROBLEM  %s\n", problem.c_str() + (named ? file.size() + 2 : 0));
      }
      if (!report.problems.empty()) damaged.push_back(file);
    }
    if (damaged.size() == 1) throw InputError(damaged.front() + " is damaged: its problems are listed above");
    if (!damaged.empty())
      throw InputError(std::to_string(damaged.size()) + " of " + std::to_string(files->size()) +
                       " files are damaged: their problems are listed above");
  };
}

}  // namespace plastiscope
