#pragma once
// Commands whose system calls are made to fail in turn, and checks of the result.
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "tests/support/run_program.h"

namespace plastiscope::test {

// How a command writes its outputs.
enum class Manner {
  Whole,      // all or none, also when repeated
  NewFolder,  // into a new folder, only once
  OneByOne    // one by one, with a message for each that fails
};

// A command in a folder that can be reset.
struct SweptCommand {
  std::string name;
  std::vector<std::vector<std::string>> before;  // commands that make its inputs
  std::vector<std::string> arguments;            // paths relative to the folder
  std::vector<std::string> outputs;              // files or folders that it makes; none = it only prints
  std::string work = {};                         // the folder of unfinished work that it may leave; "" = none
  std::string program = "plastiscope-cli";
  Manner manner = Manner::Whole;
  bool remembers = false;  // caches analyses in its own folder, and also works without
};
const std::vector<SweptCommand>& sweptCommands();
const SweptCommand& sweptCommand(const std::string& name);

// Folder for repeated runs of one command: always the same path, so that paths inside files are equal too.
class SweepFolder {
 public:
  // Makes the inputs and one undisturbed run as the reference.
  explicit SweepFolder(const SweptCommand& command);
  ~SweepFolder();
  SweepFolder(const SweepFolder&) = delete;
  SweepFolder& operator=(const SweepFolder&) = delete;

  void reset() const;  // only the inputs
  ProgramResult run(const ProgramOptions& options = {}) const;
  // Runs with the shim. `at` 0 only counts; the counted calls are in counted().
  ProgramResult runWithFault(const std::string& calls, std::int64_t at, int error, bool always = false) const;
  std::int64_t counted() const;

  // Only a locked output allows removing temporary files of a killed process beside it.
  bool locksItsOutput() const { return !m_command.work.empty(); }
  bool outputsAreThere() const;
  // For a command that only prints: the output equals the undisturbed run. Otherwise true.
  bool printedAll(const ProgramResult& result) const;
  const std::string& name() const { return m_command.name; }
  Manner manner() const { return m_command.manner; }
  bool remembers() const { return m_command.remembers; }
  std::int64_t largestOutput() const;  // bytes of the largest file of the undisturbed run
  // Every output equals that of the undisturbed run or does not exist.
  std::string damage() const;  // "" if true
  // "" if stderr has one sentence of the program, otherwise stderr. Lines of JSON (--progress json) do not
  // count.
  std::string otherThanOneSentence(const std::string& err) const;
  // Other files in the folder than inputs, outputs and unfinished work; "" when there are none.
  std::string litter() const;
  // Repeats the command without faults: "" if it ends with 0 and the outputs of the undisturbed run.
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

// A few spread points of 1..count with the first and the last; PLASTISCOPE_SWEEP sets how many ("all" or a
// number).
std::vector<std::int64_t> sweepPoints(std::int64_t count, std::int64_t few);

}  // namespace plastiscope::test
