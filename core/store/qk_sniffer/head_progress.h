#pragma once
// Progress over heads under one stage name, with the time left.
#include <string>

#include "core/base/progress.h"

namespace plastiscope {

// Passes everything on; what a part of the work (sealing) reports appears as `stage`.
class HeadProgress : public Progress {
 public:
  HeadProgress(Progress& progress, std::string stage, double heads)
      : m_progress(progress), m_stage(std::move(stage)), m_meter(heads) {}
  void advanced(const ProgressState& state) override {
    ProgressState mine = state;
    mine.stage = m_stage;
    m_meter.add(state.done - m_done);
    m_done = state.done;
    mine.etaSeconds = m_meter.etaSeconds();
    m_progress.advanced(mine);
  }
  void warned(std::string_view sentence) override { m_progress.warned(sentence); }
  bool stopRequested() const override { return m_progress.stopRequested(); }

 private:
  Progress& m_progress;
  std::string m_stage;
  double m_done = 0;
  RateMeter m_meter;
};

}  // namespace plastiscope
