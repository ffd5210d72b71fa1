#include <CLI/CLI.hpp>
#include <cstdio>

#include "app/cli/command.h"
#include "core/base/error.h"
#include "core/base/foreign_text.h"
#include "core/base/path_text.h"
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
      if (!report.problems.empty()) damaged.push_back(file);
    }
    if (damaged.size() == 1) throw InputError(damaged.front() + " is damaged: its problems are listed above");
    if (!damaged.empty())
      throw InputError(std::to_string(damaged.size()) + " of " + std::to_string(files->size()) +
                       " files are damaged: their problems are listed above");
  };
}

}  // namespace plastiscope
