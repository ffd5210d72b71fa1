#pragma once
#include "core/base/progress.h"

namespace plastiscope::test {

// Requests a stop from call `first` of stopRequested() on, counted from 0.
struct StopAtQuestion : Progress {
  explicit StopAtQuestion(int first) : left(first) {}
  bool stopRequested() const override { return --left < 0; }
  mutable int left;
};

}  // namespace plastiscope::test
