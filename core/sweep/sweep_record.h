#pragma once
// What is finished of a run, so that its repetition ends after a look at a few names and times.
#include <filesystem>

#include "core/base/json_value.h"
#include "core/sweep/sweep_file.h"

namespace plastiscope {

// The file LIBRARY/runs/NAME.json: what each output was asked for, and size and time of every file that it
// was made of and of itself. Where any of that is no longer so, the command itself looks whether its output
// is the one that is wanted. Changed under the run's lock alone.
class SweepRecord {
 public:
  explicit SweepRecord(const SweepRun& run);  // reads it; what cannot be read is not there

  static std::filesystem::path fileFor(const SweepRun& run);
  // Steps of a run: 0 = the capture, then its analyses.
  bool isDone(std::size_t step) const;
  bool isDone() const;  // all of them
  // The step was made just now. InputError, ResourceError when that cannot be written.
  void setDone(std::size_t step);
  // All steps are to be done again, until each is done: also by a later process, should this one end. As
  // above.
  void setAgain();
  bool isAgain(std::size_t step) const;

 private:
  Json wanted(std::size_t step) const;
  void write() const;

  const SweepRun& m_run;
  JsonValue m_inputs;  // as they were when the run began
  JsonValue m_steps;   // output's name -> what was asked for, and the file's size and time
};

}  // namespace plastiscope
