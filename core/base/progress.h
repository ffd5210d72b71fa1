#pragma once
// Progress and cancellation of long operations.
#include <mutex>
#include <string>
#include <string_view>

namespace plastiscope {

struct ProgressState {
  std::string stage;  // "capture", "seal", "analyze", ...
  double done = 0;    // in `unit`
  double total = 0;
  std::string unit;             // "example", "head", ...
  double tokensPerSecond = -1;  // < 0: does not apply
  double etaSeconds = -1;       // < 0: not known yet
};

// Called from the working thread; stopRequested() from any thread.
class Progress {
 public:
  virtual ~Progress() = default;
  virtual void started(std::string_view /*stage*/, std::string_view /*settingsJson*/) {}
  virtual void advanced(const ProgressState&) {}
  virtual void unitFinished(std::string_view /*unit*/) {}  // the unit is finished and durable
  virtual void warned(std::string_view /*sentence*/) {}
  virtual void told(std::string_view /*sentence*/) {}  // a decision that the user should know
  virtual bool stopRequested() const { return false; }
  // Throws Stopped when a stop was requested.
  void throwIfStopped() const;
};

// Progress for one step of longer work. Forwards warnings and stop requests and leaves out the step's own
// progress, because the whole work reports its own.
class InnerProgress : public Progress {
 public:
  explicit InnerProgress(Progress& whole) : m_whole(whole) {}
  void warned(std::string_view sentence) override { m_whole.warned(sentence); }
  void told(std::string_view sentence) override { m_whole.told(sentence); }
  bool stopRequested() const override { return m_whole.stopRequested(); }

 private:
  Progress& m_whole;
};

// Elapsed and remaining time of work; its unit is arbitrary (floating point operations, for example).
class RateMeter {
 public:
  explicit RateMeter(double totalWork);
  void add(double work);
  double elapsedSeconds() const;
  double etaSeconds() const;  // < 0 before the first step

 private:
  double m_total, m_done = 0, m_startSeconds;
};

// Counts finished units of a stage from any thread and reports them with the remaining time.
class UnitCounter {
 public:
  UnitCounter(Progress& progress, std::string stage, std::string unit, std::size_t total);
  void finished();

 private:
  Progress& m_progress;
  std::mutex m_mutex;
  ProgressState m_state;
  RateMeter m_meter;
};

}  // namespace plastiscope
