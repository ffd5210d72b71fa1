#pragma once
#include <string>
#include <vector>

#include "core/base/progress.h"

namespace plastiscope::test {

// Records all reports; requests a stop after a number of finished units.
struct RecordedProgress : Progress {
  std::vector<std::string> settings;  // JSON of each start
  std::vector<std::string> warnings, units;
  std::vector<ProgressState> states;
  std::size_t stopAfterUnits = SIZE_MAX;
  void started(std::string_view, std::string_view json) override { settings.emplace_back(json); }
  void advanced(const ProgressState& state) override { states.push_back(state); }
  void unitFinished(std::string_view unit) override { units.emplace_back(unit); }
  void warned(std::string_view sentence) override { warnings.emplace_back(sentence); }
  bool stopRequested() const override { return units.size() >= stopAfterUnits; }
};

}  // namespace plastiscope::test
