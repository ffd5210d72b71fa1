#pragma once
// How long the window does not answer, by a heartbeat of 5 ms in its event loop, and where it is while it
// does not: another thread asks it for its stack.
#include <QElapsedTimer>
#include <QString>
#include <QTimer>
#include <array>
#include <atomic>
#include <string>
#include <thread>
#include <vector>

namespace plastiscope::sweep {

class WindowWatch {
 public:
  static constexpr double kBeat = 5, kLong = 50;  // ms

  // A time between two beats. `waited`: how much of it the thread was ready to run and others had the
  // processor.
  struct Gap {
    double length = 0, waited = 0;
    QString doing;
    std::vector<std::string> stack;  // innermost first; from the middle of a long gap
    double own() const { return length - waited; }
  };

  WindowWatch();  // in the thread that is watched
  ~WindowWatch();
  void note(const QString& doing) { m_doing = doing; }
  // What is done by the sweep itself is not measured.
  void pause();
  void goOn();

  const std::vector<Gap>& longGaps() const { return m_long; }
  // Longest, p99 and how many were long; then the places of the longest.
  void print(std::size_t places = 12) const;

 private:
  void beat();
  double now() const { return static_cast<double>(m_clock.nsecsElapsed()) / 1e6; }
  double waited() const;  // ms since the thread began

  QElapsedTimer m_clock;
  QTimer m_timer;
  std::atomic<double> m_last = 0;
  double m_lastWaited = 0;
  int m_statistics = -1;  // of the scheduler, about this thread
  std::vector<float> m_gaps, m_own;
  std::vector<Gap> m_long;
  QString m_doing;
  std::atomic<bool> m_measuring = false, m_over = false;
  std::thread m_watcher;
};

// The stack of the calling thread, for a handler that ends the program after it.
void writeStack(int descriptor);
// The process's memory, MiB: as the system counts it (VmRSS; RssAnon, RssFile, RssShmem), and what is
// allocated.
double residentMegabytes(const char* kind = "VmRSS");
double allocatedMegabytes();

}  // namespace plastiscope::sweep
