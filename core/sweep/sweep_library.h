#pragma once
// Files of a sweep's library besides captures and analyses: records of finished steps, and a session.
#include <filesystem>
#include <vector>

#include "core/base/json_value.h"
#include "core/sweep/sweep_file.h"

namespace plastiscope {

// Record of the finished steps of a run, so that repeating it only compares file names, sizes and times: the
// file LIBRARY/runs/NAME.json: the request of each output, with size and time of its input files and of
// the output. If any of them differs, the step is not done and its command checks the output itself. Changed
// only under the run's lock.
class SweepRecord {
 public:
  explicit SweepRecord(const SweepRun& run);  // reads the file; unreadable entries count as missing

  static std::filesystem::path fileFor(const SweepRun& run);
  // Steps of a run: 0 = the capture, then its analyses.
  bool isDone(std::size_t step) const;
  bool isDone() const;  // all steps
  // Records that the step was just finished. InputError, ResourceError if the file cannot be written.
  void setDone(std::size_t step);
  // Marks all steps to be done again; each mark holds until setDone(), also for later processes. Throws as
  // setDone().
  void setAgain();
  bool isAgain(std::size_t step) const;

 private:
  Json wanted(std::size_t step) const;
  void write() const;

  const SweepRun& m_run;
  JsonValue m_inputs;  // state at the start of the run
  JsonValue m_steps;   // output's name -> request, size and time of the file
};

// Writes library.json of a sweep's folder: a session of the window with one comparison for each kind of
// analysis that exists. Models are in natural order of their names, so that checkpoints of one training run
// form a trajectory; with a single model its texts and settings are compared. InputError, ResourceError.
void writeLibrarySession(const std::vector<SweepRun>& runs, const std::filesystem::path& library);

}  // namespace plastiscope
