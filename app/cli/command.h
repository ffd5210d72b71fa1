#pragma once
// A command of plastiscope-cli. Adding one = its own file + one line in commands.cpp.
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "core/base/progress.h"

namespace CLI {
class App;
}

namespace plastiscope {

// Options that work on every command.
struct GlobalOptions {
  int threads = 0;                // 0 = all cores
  bool quiet = false;             // only errors
  bool verbose = false;           // more detail in errors
  std::string progress = "auto";  // auto, json, none (capture and analyze)
  char** arguments = nullptr;     // argv, for the program that has the capture backend
};

// What a command does once its options are parsed.
using CommandRun = std::function<void(const GlobalOptions&, Progress&)>;

struct Command {
  const char* name;
  const char* help;
  const char* example;  // printed under --help
  CommandRun (*add)(CLI::App& app, GlobalOptions& global);
};

std::span<const Command> commands();

CommandRun addAnalyze(CLI::App& app, GlobalOptions& global);
CommandRun addCapture(CLI::App& app, GlobalOptions& global);
CommandRun addCompare(CLI::App& app, GlobalOptions& global);
CommandRun addCorrelate(CLI::App& app, GlobalOptions& global);
CommandRun addConverge(CLI::App& app, GlobalOptions& global);
CommandRun addExport(CLI::App& app, GlobalOptions& global);
CommandRun addImport(CLI::App& app, GlobalOptions& global);
CommandRun addInfo(CLI::App& app, GlobalOptions& global);
CommandRun addMerge(CLI::App& app, GlobalOptions& global);
CommandRun addMetrics(CLI::App& app, GlobalOptions& global);
CommandRun addModels(CLI::App& app, GlobalOptions& global);
CommandRun addPairs(CLI::App& app, GlobalOptions& global);
CommandRun addReference(CLI::App& app, GlobalOptions& global);
CommandRun addTokenize(CLI::App& app, GlobalOptions& global);
CommandRun addVerify(CLI::App& app, GlobalOptions& global);
CommandRun addWhatIf(CLI::App& app, GlobalOptions& global);

}  // namespace plastiscope
