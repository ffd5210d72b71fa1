#pragma once
// Command line of both programs: a command is a list of options, which this library passes to CLI11 and uses
// for completions. The only user of CLI11.
#include <array>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/base/option.h"
#include "core/base/progress.h"

namespace plastiscope {

struct GlobalOptions;

// Function of a command, called after its options are read.
using CommandRun = std::function<void(const GlobalOptions&, Progress&)>;

struct ProgramCommand {
  std::string name = {}, help = {};
  std::string footer = {};  // end of its help, with an example
  OptionList options = {};
  CommandRun run = {};
  std::vector<ProgramCommand> forms = {};  // one of them must be given: "export csv"
  bool ownOptions = false;                 // `options` are not valid with a form
};

// Meaning of the exit codes of both programs, from 0 on.
inline constexpr std::array<const char*, 6> kExitCodes = {"done",
                                                          "internal failure",
                                                          "wrong usage",
                                                          "an input or output file or folder cannot be used",
                                                          "not enough memory or disk",
                                                          "stopped on request"};

// Result of parsing an argument list.
struct CommandCall {
  enum class Asked { Run, Help, Version } asked = Asked::Run;
  const ProgramCommand* command = nullptr;  // the innermost one
  std::string text;                         // help or version text
};

// `program`: its options may stand before and after those of a command. `version`: output of --version, "" =
// no such option. UsageError with the nearest known name.
class CommandLineParser {
 public:
  CommandLineParser(const ProgramCommand& program, const std::string& version);
  ~CommandLineParser();

  CommandCall parse(const std::vector<std::string>& arguments);
  // Sets the values that CLI11 treats as text but the options do not; call after parse(). Returns the error
  // of the first invalid one; "" = none.
  std::string readValues() const;

 private:
  struct Private;
  std::unique_ptr<Private> d;
};

// JSON of all commands with their options, for other programs: name, help, kind (flag, integer, number, text,
// path), whether it takes several values or is required, default, words; forms under "commands".
std::string optionsJson(const ProgramCommand& program);

// Script for bash, zsh or fish that completes the commands of `program`, their options and their words;
// "json": optionsJson(). UsageError for another shell.
std::string completionScript(const ProgramCommand& program, const std::string& shell);

// "--text" for "--text,TEXT"; "" for positional and hidden options.
std::string longName(const Option& option);

// Manual page (section 1) in roff's man macros: every command with its options.
std::string manualPage(const ProgramCommand& program);

}  // namespace plastiscope
