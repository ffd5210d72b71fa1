#pragma once
#include "core/base/progress.h"

namespace plastiscope::test {

// Asks to stop from the question `first` on, counted from 0.
struct StopAtQuestion : Progress {
  explicit StopAtQuestion(int first) : left(first) {}
  bool stopRequested() const override { return --left < 0; }
  mutable int left;
};

}  // namespace plastiscope::test
