#pragma once
// The one object that long work takes: it reports, and asks whether to stop.
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

// Every method may be called from the thread that works; stopRequested() from any thread.
class Progress {
 public:
  virtual ~Progress() = default;
  virtual void started(std::string_view /*stage*/, std::string_view /*settingsJson*/) {}
  virtual void advanced(const ProgressState&) {}
  virtual void unitFinished(std::string_view /*unit*/) {}  // one unit is finished and durable
  virtual void warned(std::string_view /*sentence*/) {}
  virtual bool stopRequested() const { return false; }
  // Throws Stopped when a stop was requested.
  void throwIfStopped() const;
};

// Rate and time left of work that is counted in `total` weighted steps (e.g. floating point operations).
class RateMeter {
 public:
  explicit RateMeter(double totalWork);
  void add(double work);
  double elapsedSeconds() const;
  double etaSeconds() const;  // < 0 until something is done

 private:
  double m_total, m_done = 0, m_startSeconds;
};

// Counts the finished units of one stage, from any thread, and passes them on with the time left.
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
