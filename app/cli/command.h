#pragma once
// Commands of plastiscope-cli. To add one: its function in a command_*.cpp and its line in commands.cpp.
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "app/command_line/command_line.h"

namespace plastiscope {

enum class ProgressForm { Auto, Json, None };
constexpr std::array<const char*, 3> namesOf(ProgressForm) {
  return {"auto", "json", "none"};
}

// Options of every command.
struct GlobalOptions {
  int threads = 0;       // 0 = all cores
  bool quiet = false;    // only errors
  bool verbose = false;  // more detail in errors
  ProgressForm progress = ProgressForm::Auto;
  char** arguments = nullptr;  // argv, for the program with the capture backend
};

// The program as data; its options are members of `global`.
ProgramCommand commandLineProgram(GlobalOptions& global);

// An option of a command: no stored file has it, so it has no key.
inline Option option(std::string name, OptionValue value, std::string help, OptionTraits traits = {}) {
  return {std::move(name), "", std::move(value), std::move(help), std::move(traits)};
}

// Options shared by several commands.
Option forceOption(bool& force);
Option progressOption(GlobalOptions& global);

ProgramCommand analyzeCommand(GlobalOptions& global);
ProgramCommand batchCommand(GlobalOptions& global);
ProgramCommand captureCommand(GlobalOptions& global);
ProgramCommand compareCommand(GlobalOptions& global);
ProgramCommand convergeCommand(GlobalOptions& global);
ProgramCommand correlateCommand(GlobalOptions& global);
ProgramCommand exportCommand(GlobalOptions& global);
ProgramCommand groupsCommand(GlobalOptions& global);
ProgramCommand importCommand(GlobalOptions& global);
ProgramCommand infoCommand(GlobalOptions& global);
ProgramCommand mergeCommand(GlobalOptions& global);
ProgramCommand metricsCommand(GlobalOptions& global);
ProgramCommand modelsCommand(GlobalOptions& global);
ProgramCommand pairsCommand(GlobalOptions& global);
ProgramCommand compositionCommand(GlobalOptions& global);
ProgramCommand probeCommand(GlobalOptions& global);
ProgramCommand referenceCommand(GlobalOptions& global);
ProgramCommand runsCommand(GlobalOptions& global);
ProgramCommand serveCommand(GlobalOptions& global);
ProgramCommand studyCommand(GlobalOptions& global);
ProgramCommand tokenizeCommand(GlobalOptions& global);
ProgramCommand verifyCommand(GlobalOptions& global);
ProgramCommand whatIfCommand(GlobalOptions& global);

// Replaces the process by the program with the capture backend (all commands and libtorch, in
// libexec/plastiscope beside bin; kept separate for a fast start), with the same arguments, for commands that
// need the forward pass. Returns if this is that program, if it is not installed, or if no Python has a
// PyTorch for it: the forward pass then reports that. ResourceError when it cannot be started.
void continueWithBackend(const GlobalOptions& global);

}  // namespace plastiscope
