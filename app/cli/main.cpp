// plastiscope-cli: everything that needs no screen. Parses, composes, and is the border where errors end.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <map>

#include "app/cli/command.h"
#include "app/cli/stop_signal.h"
#include "app/cli/terminal_progress.h"
#include "core/base/descriptor.h"
#include "core/base/error.h"
#include "core/base/foreign_text.h"
#include "core/base/version.h"

namespace plastiscope {
namespace {

// Every long option that `app` and its parents know.
std::vector<std::string> knownOptions(const CLI::App* app) {
  std::vector<std::string> names;
  for (; app != nullptr; app = app->get_parent()) {
    for (const CLI::Option* option : app->get_options()) {
      for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    }
  }
  return names;
}

const CLI::App* deepestParsed(const CLI::App* app) {
  for (const CLI::App* child : app->get_subcommands()) return deepestParsed(child);
  return app;
}

// One sentence for what the parser did not understand, with the nearest known name.
std::string usageSentence(const CLI::App& app, const CLI::ParseError& error, int argc, char** argv) {
  const CLI::App* current = deepestParsed(&app);
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr ||
      dynamic_cast<const CLI::RequiredError*>(&error) != nullptr) {
    const std::vector<std::string> known = knownOptions(current);
    for (int i = 1; i < argc; ++i) {
      const std::string name = std::string(argv[i]).substr(0, std::string(argv[i]).find('='));
      if (name.rfind("--", 0) != 0 || std::find(known.begin(), known.end(), name) != known.end()) continue;
      const std::string near = nearestName(name, known);
      return "unknown option " + name + (near.empty() ? "" : "; did you mean " + near + "?");
    }
    if (current == &app && argc > 1 && argv[1][0] != '-') {
      std::vector<std::string> names;
      std::string list;
      for (const Command& command : commands()) {
        names.emplace_back(command.name);
        list += (list.empty() ? "" : ", ") + names.back();
      }
      const std::string near = nearestName(argv[1], names);
      return std::string("unknown command ") + argv[1] +
             (near.empty() ? " (known: " + list + ")" : "; did you mean " + near + "?");
    }
  }
  return error.what();
}

// What --verbose adds to an error.
constexpr const char* kKinds[] = {"done",
                                  "internal failure",
                                  "wrong usage",
                                  "an input or output place cannot be used",
                                  "not enough memory or disk",
                                  "stopped on request"};

int failed(TerminalProgress& progress, const GlobalOptions& global, const Failure& failure) {
  const int code = static_cast<int>(failure.kind);
  progress.failed(failure.sentence, code);
  if (global.verbose) {
    if (!failure.detail.empty()) std::fprintf(stderr, "plastiscope-cli: %s\n", failure.detail.c_str());
    std::fprintf(stderr, "plastiscope-cli: code %d (%s), version %s\n", code, kKinds[code], kVersion);
  }
  return code;
}

int runCommand(const char* name, const CommandRun& run, const GlobalOptions& global,
               TerminalProgress& progress) {
  try {
    progress.setStyle(progressStyleOf(global.progress, global.quiet));
    run(global, progress);
    requireOutputWritten();
    progress.finished(name);
    return 0;
  } catch (...) {
    return failed(progress, global, caughtFailure());
  }
}

int mainOf(int argc, char** argv) {
  CLI::App app{
      "Plastiscope without a screen: capture, analyse and export the queries and keys of attention heads"};
  app.set_version_flag("--version", std::string("plastiscope-cli ") + kVersion);
  app.require_subcommand(1);
  app.fallthrough();
  GlobalOptions global;
  global.arguments = argv;
  app.add_option("--threads", global.threads, "Number of threads; 0 = all cores")->check(CLI::Range(0, 4096));
  app.add_flag("--quiet", global.quiet, "Print nothing but results and errors");
  app.add_flag("--verbose", global.verbose, "More detail");

  std::map<const CLI::App*, std::pair<const Command*, CommandRun>> runs;
  for (const Command& command : commands()) {
    CLI::App* sub = app.add_subcommand(command.name, command.help);
    sub->footer(std::string("--threads N, --quiet and --verbose work with every command.\n\nExample:\n  ") +
                command.example);
    runs[sub] = {&command, command.add(*sub, global)};
  }
  TerminalProgress progress;
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {
    app.exit(success);  // prints the help or the version
    return runCommand(
        "help", [](const GlobalOptions&, Progress&) {}, global, progress);
  } catch (const CLI::ParseError& error) {
    const std::string sentence = sanitized(usageSentence(app, error, argc, argv), kLongestMessage);
    std::fprintf(stderr, "plastiscope-cli: %s\n", sentence.c_str());
    return static_cast<int>(ErrorKind::Usage);
  }
  const auto& [command, run] = runs.at(app.get_subcommands().front());
  return runCommand(command->name, run, global, progress);
}

}  // namespace
}  // namespace plastiscope

int main(int argc, char** argv) {
  plastiscope::occupyStandardDescriptors();
  plastiscope::installStopSignals();
  return plastiscope::mainOf(argc, argv);
}
