#pragma once
// The command line of both programs: what a command takes is a list of options, which this library hands to
// CLI11 and prints completions from. Nothing else knows that library.
#include <array>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/base/option.h"
#include "core/base/progress.h"

namespace plastiscope {

struct GlobalOptions;

// What a command does once its options are read.
using CommandRun = std::function<void(const GlobalOptions&, Progress&)>;

struct ProgramCommand {
  std::string name = {}, help = {};
  std::string footer = {};  // of its help, with an example
  OptionList options = {};
  CommandRun run = {};
  std::vector<ProgramCommand> forms = {};  // one of them is given: "export csv"
  bool ownOptions = false;                 // `options` do not stand beside a form
};

// What the exit codes of both programs mean, from 0 on.
inline constexpr std::array<const char*, 6> kExitCodes = {"done",
                                                          "internal failure",
                                                          "wrong usage",
                                                          "an input or output place cannot be used",
                                                          "not enough memory or disk",
                                                          "stopped on request"};

// What an argument list says.
struct CommandCall {
  enum class Asked { Run, Help, Version } asked = Asked::Run;
  const ProgramCommand* command = nullptr;  // the innermost one
  std::string text;                         // of help or version
};

// `program`: its options may stand before and behind those of a command. `version`: what --version prints,
// "" = no such option. UsageError, with the nearest known name.
class CommandLineParser {
 public:
  CommandLineParser(const ProgramCommand& program, const std::string& version);
  ~CommandLineParser();

  CommandCall parse(const std::vector<std::string>& arguments);
  // Sets the values that are more than a text or a number to CLI11; after parse(). What is wrong with the
  // first that could not be set; "" = nothing.
  std::string readValues() const;

 private:
  struct Private;
  std::unique_ptr<Private> d;
};

// Every command of `program` with its options, for other programs: name, help, kind (flag, integer, number,
// text, path), whether it takes several values or is required, default, words; forms under "commands".
std::string optionsJson(const ProgramCommand& program);

// A script for bash, zsh or fish that completes the commands of `program`, their options and the words that
// these take; "json": optionsJson(). UsageError for another shell.
std::string completionScript(const ProgramCommand& program, const std::string& shell);

// "--text" of "--text,TEXT"; "" for what is given without a name, and for what is hidden.
std::string longName(const Option& option);

// The page of section 1 of the manual, in the man macros of roff: every command with its options.
std::string manualPage(const ProgramCommand& program);

}  // namespace plastiscope
