#pragma once
// Long runs whose results are kept step by step in a folder, so that the same work continues after a stop.
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/base/json.h"
#include "core/base/progress.h"

namespace plastiscope {

struct RunStep {
  double units = 1;                   // of the progress that is shown
  double work = 1;                    // of time, in any unit
  double tokens = 0;                  // for the speed that is shown; 0: none
  std::vector<std::string> finished;  // ids of the texts that are finished with it
  std::function<void(Progress&)> run;
};

// Results by step, one file each.
class KeptResults {
 public:
  // `settingsHash`: of everything that the results depend on.
  KeptResults(std::filesystem::path folder, std::string settingsHash);
  // Nothing if the file is missing, damaged or of other settings: the step then runs again.
  template <typename Result>
  std::optional<Result> read(const std::string& step) const {
    try {
      return resultIn(fileOf(step)).template get<Result>();
    } catch (const std::exception&) {
      return std::nullopt;
    }
  }
  // Replaces the file atomically. InputError, ResourceError.
  void write(const std::string& step, const Json& result) const;

  // Runs the steps that are left of `total` units. `stage`, `unit`: as in ProgressState. Stopped keeps the
  // results of finished steps.
  void run(const std::string& stage, const std::string& unit, double total, const std::vector<RunStep>& steps,
           Progress& progress) const;

 private:
  std::filesystem::path fileOf(const std::string& step) const;
  Json resultIn(const std::filesystem::path& file) const;

  std::filesystem::path m_folder;
  std::string m_settingsHash;
};

}  // namespace plastiscope
