#pragma once
// The window with settings, captures and a model of its own, for the sweeps of window_soak.
#include <QString>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/desktop/main_window.h"
#include "app/desktop/session.h"
#include "core/capture/capture_request.h"
#include "support/temporary_folder.h"

namespace plastiscope::sweep {

struct SoakOptions {
  int events = 3000;
  double minutes = 0.5;
  int times = 2;  // cancels of each job; rounds of accidents
  unsigned seed = 1;
  std::filesystem::path model;               // empty: a tiny model and
  std::vector<std::filesystem::path> texts;  // random tokens
  std::filesystem::path log;                 // log of all events; empty: none
};

class SoakedWindow {
 public:
  explicit SoakedWindow(const SoakOptions& options);

  std::filesystem::path folder(const std::string& name) const { return m_folder / name; }
  // Copies a capture of the test data, or the shipped example.
  std::filesystem::path provide(const std::string& capture, const std::string& name) const;
  std::filesystem::path provideExample(const std::string& name) const;
  // A request to capture the model and the texts into this file.
  CaptureRequest request(const std::string& out) const;
  void begin(bool intervals);  // starts or restarts the program
  // Waits until nothing loads or runs; false after a timeout.
  bool settle() const;
  bool idle() const;  // no job, capture or busy thread
  void cancelAll() const;
  void closeTabs() const;  // one after the other
  // Runs plastiscope-cli and returns its exit code.
  int runTool(const QStringList& arguments) const;

  std::unique_ptr<Session> session;
  std::unique_ptr<MainWindow> window;

 private:
  test::TemporaryFolder m_folder;
  std::filesystem::path m_model;
  std::vector<std::filesystem::path> m_texts;
};

// Runs the event loop until `done` or the time is over; returns the result of `done`.
bool until(const std::function<bool()>& done, double seconds = 600);
void wait(double milliseconds);

// The sweeps. Each prints a table and returns whether all checks passed.
bool soakEvents(const SoakOptions& options);
bool soakCancels(const SoakOptions& options);
bool soakAccidents(const SoakOptions& options);

}  // namespace plastiscope::sweep
