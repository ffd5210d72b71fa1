#include <CLI/CLI.hpp>
#include <cstdio>

#include "app/cli/command.h"
#include "core/base/error.h"
#include "core/base/foreign_text.h"
#include "core/store/verify.h"

namespace plastiscope {

CommandRun addVerify(CLI::App& app, GlobalOptions& /*global*/) {
  auto files = std::make_shared<std::vector<std::string>>();
  app.add_option("FILE", *files, "Captures and analyses")->required();
  return [files](const GlobalOptions& global, Progress& progress) {
    std::size_t damaged = 0;
    std::string firstProblem;
    for (const std::string& file : *files) {
      progress.throwIfStopped();
      const VerifyReport report = verifyFile(file);
      if (!global.quiet) {
        std::printf("%s: %s\n", sanitized(file, kLongestMessage).c_str(),
                    report.problems.empty() ? "intact" : "damaged");
        for (const std::string& check : report.checks)
          std::printf("  ok       %s\n", sanitized(check, kLongestMessage).c_str());
      }
      for (const std::string& problem : report.problems)
        std::printf("  PROBLEM  %s\n", sanitized(problem, kLongestMessage).c_str());
      if (report.problems.empty()) continue;
      if (damaged++ == 0) firstProblem = file + ": " + report.problems.front();
    }
    if (damaged > 0) {
      throw InputError(firstProblem +
                       (damaged > 1 ? " (" + std::to_string(damaged) + " files are damaged)" : ""));
    }
  };
}

}  // namespace plastiscope
