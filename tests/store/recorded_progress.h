#pragma once
#include <string>
#include <vector>

#include "core/base/progress.h"

namespace plastiscope::test {

// Keeps the warnings; asks to stop after a number of finished units.
struct RecordedProgress : Progress {
  std::vector<std::string> warnings;
  int units = 0, stopAfter = -1;
  void warned(std::string_view sentence) override { warnings.emplace_back(sentence); }
  void unitFinished(std::string_view) override { ++units; }
  bool stopRequested() const override { return stopAfter >= 0 && units >= stopAfter; }
};

}  // namespace plastiscope::test
