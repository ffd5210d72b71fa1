// plastiscope-cli: all commands that need no display. Parses arguments, turns exceptions into exit codes.
#include <unistd.h>

#include <cstdio>

#include "app/cli/command.h"
#include "app/cli/terminal_progress.h"
#include "core/base/descriptor.h"
#include "core/base/error.h"
#include "core/base/foreign_text.h"
#include "core/base/version.h"

namespace plastiscope {
namespace {

int failed(TerminalProgress& progress, const GlobalOptions& global, const Failure& failure) {
  const int code = static_cast<int>(failure.kind);
  progress.failed(failure.sentence, code);
  if (global.verbose) {
    if (!failure.detail.empty()) std::fprintf(stderr, "plastiscope-cli: %s\n", failure.detail.c_str());
    std::fprintf(stderr, "plastiscope-cli: code %d (%s), version %s\n", code,
                 kExitCodes[static_cast<std::size_t>(code)], kVersion);
  }
  return code;
}

// `wrong`: usage error, reported in the form of --progress.
int runCommand(const std::string& name, const CommandRun& run, const std::string& wrong,
               const GlobalOptions& global, TerminalProgress& progress) {
  try {
    progress.setStyle(progressStyleOf(global.progress, global.quiet));
    if (!wrong.empty()) throw UsageError(wrong);
    run(global, progress);
    requireOutputWritten();
    progress.finished(name);
    return 0;
  } catch (...) {
    return failed(progress, global, caughtFailure());
  }
}

int mainOf(int argc, char** argv) {
  GlobalOptions global;
  global.arguments = argv;
  ProgramCommand program = commandLineProgram(global);
  program.name = argv[0];
  CommandLineParser parser(program, std::string("plastiscope-cli ") + kVersion);
  TerminalProgress progress;
  CommandCall call;
  try {
    call = parser.parse({argv + 1, argv + argc});
  } catch (const UsageError& error) {
    std::fprintf(stderr, "plastiscope-cli: %s\n", sanitized(error.what(), kLongestMessage).c_str());
    return error.exitCode();
  }
  const std::string wrong = parser.readValues();
  if (call.asked == CommandCall::Asked::Run)
    return runCommand(call.command->name, call.command->run, wrong, global, progress);
  const CommandRun print = [&call](const GlobalOptions&, Progress&) {
    std::fputs(call.text.c_str(), stdout);
  };
  return runCommand("help", print, {}, global, progress);
}

}  // namespace
}  // namespace plastiscope

int main(int argc, char** argv) {
  plastiscope::occupyStandardDescriptors();
  plastiscope::installStopSignals();
  const int code = plastiscope::mainOf(argc, argv);
  if (code != static_cast<int>(plastiscope::ErrorKind::Stopped)) return code;
  // After a stop all results are on disk: skips the slow cleanup of libraries.
  std::fflush(nullptr);
  ::_exit(code);
}
