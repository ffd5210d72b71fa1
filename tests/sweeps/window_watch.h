#pragma once
// How long the window does not answer, by a heartbeat of 5 ms in its event loop, and where it is while it
// does not: another thread asks it for its stack.
#include <QElapsedTimer>
#include <QString>
#include <QTimer>
#include <atomic>
#include <map>
#include <string>
#include <thread>
#include <vector>

namespace plastiscope::sweep {

class WindowWatch {
 public:
  static constexpr double kBeat = 5, kLong = 50;  // ms

  WindowWatch();  // in the thread that is watched
  ~WindowWatch();
  void note(const QString& doing) { m_doing = doing; }
  // What is done by the sweep itself is not measured.
  void pause();
  void goOn();

  // Longest, p99 and how many were long; then the places of the longest.
  void print(std::size_t places = 12) const;

 private:
  // Long gaps of one place, by our own functions on the stack; the longest is told of.
  struct Place {
    int count = 0;
    double longest = 0, own = 0;  // ms; own: without waiting for a processor, the most of them
    std::string stack;
    QString doing;
  };

  void beat();
  void noteLong(double length, double own);
  double now() const { return static_cast<double>(m_clock.nsecsElapsed()) / 1e6; }
  double waited() const;  // ms since the thread began

  QElapsedTimer m_clock;
  QTimer m_timer;
  std::atomic<double> m_last = 0;
  double m_lastWaited = 0;
  int m_statistics = -1;  // of the scheduler, about this thread
  std::vector<float> m_gaps, m_own;
  std::map<std::string, Place> m_long;
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
