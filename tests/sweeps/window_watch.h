#pragma once
// Measures gaps of the window's event loop with a heartbeat of 5 ms; another thread records the stack during
// a gap.
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
  // Excludes work of the sweep itself.
  void pause();
  void goOn();

  // Prints the longest gap, p99 and the number of long gaps, then the places of the longest.
  void print(std::size_t places = 12) const;

 private:
  // Long gaps of one place, grouped by Plastiscope's functions on the stack; details of the longest.
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
  int m_statistics = -1;  // scheduler statistics of this thread
  std::vector<float> m_gaps, m_own;
  std::map<std::string, Place> m_long;
  QString m_doing;
  std::atomic<bool> m_measuring = false, m_over = false;
  std::thread m_watcher;
};

// Writes the stack of the calling thread; for a handler that then ends the program.
void writeStack(int descriptor);
// Memory of the process in MiB: resident (VmRSS; RssAnon, RssFile, RssShmem) and allocated.
double residentMegabytes(const char* kind = "VmRSS");
double allocatedMegabytes();

}  // namespace plastiscope::sweep
