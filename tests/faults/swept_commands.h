#pragma once
// The commands whose every system call is made to fail, and what has to be true after it.
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "tests/support/run_program.h"

namespace plastiscope::test {

// How a command makes its outputs.
enum class Manner {
  Whole,      // all or none, and again when it is repeated
  NewFolder,  // into a folder that is not there yet: once
  OneByOne    // each by itself, with a sentence for each that fails
};

// A command in a folder that can be set back to its beginning.
struct SweptCommand {
  std::string name;
  std::vector<std::vector<std::string>> before;  // commands that make its inputs
  std::vector<std::string> arguments;            // paths relative to the folder
  std::vector<std::string> outputs;              // files or folders that it makes; none = it only prints
  std::string work = {};                         // the folder of unfinished work that it may leave; "" = none
  std::string program = "plastiscope-cli";
  Manner manner = Manner::Whole;
  bool remembers = false;  // keeps analyses for later in a folder of its own, and does without
};
const std::vector<SweptCommand>& sweptCommands();
const SweptCommand& sweptCommand(const std::string& name);

// Where one command runs again and again: always the same path, so that paths inside files are equal too.
class SweepFolder {
 public:
  // Makes the inputs and one undisturbed run, which the others are compared with.
  explicit SweepFolder(const SweptCommand& command);
  ~SweepFolder();
  SweepFolder(const SweepFolder&) = delete;
  SweepFolder& operator=(const SweepFolder&) = delete;

  void reset() const;  // only the inputs
  ProgramResult run(const ProgramOptions& options = {}) const;
  // Runs with the shim. `at` 0 only counts; the counted calls are in counted().
  ProgramResult runWithFault(const std::string& calls, std::int64_t at, int error, bool always = false) const;
  std::int64_t counted() const;

  // Only then may it remove what a killed process left beside its output.
  bool locksItsOutput() const { return !m_command.work.empty(); }
  bool outputsAreThere() const;
  // A command that only prints printed what it did in the undisturbed run; others always.
  bool printedAll(const ProgramResult& result) const;
  const std::string& name() const { return m_command.name; }
  Manner manner() const { return m_command.manner; }
  bool remembers() const { return m_command.remembers; }
  std::int64_t largestOutput() const;  // bytes of the largest file of the undisturbed run
  // Every output is whole and as the undisturbed run made it, or is not there at all.
  std::string damage() const;  // "" when so
  // One sentence of the program on stderr: "" when so, else what is there. Lines of JSON (--progress json) do
  // not count.
  std::string otherThanOneSentence(const std::string& err) const;
  // What lies in the folder beside inputs, outputs and unfinished work; "" when nothing.
  std::string litter() const;
  // The command once more, undisturbed: "" when it ends with 0 and the outputs are those of the undisturbed
  // run.
  std::string repeat() const;

  double seconds() const { return m_seconds; }  // of the undisturbed run
  const std::filesystem::path& path() const { return m_run; }

 private:
  std::map<std::string, std::string> contentOf(const std::string& output) const;

  const SweptCommand& m_command;
  std::filesystem::path m_base, m_inputs, m_run, m_state;
  std::map<std::string, std::map<std::string, std::string>> m_expected;  // by output
  std::string m_printed;
  std::int64_t m_largestOutput = 0;
  double m_seconds = 0;
};

// Points of 1..count: a few, spread, first and last among them; PLASTISCOPE_SWEEP says how many ("all", or a
// number).
std::vector<std::int64_t> sweepPoints(std::int64_t count, std::int64_t few);

}  // namespace plastiscope::test
