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
  int times = 2;  // that each job is cancelled; kinds of accidents
  unsigned seed = 1;
  std::filesystem::path model;               // empty: a tiny one, and
  std::vector<std::filesystem::path> texts;  // tokens by chance
  std::filesystem::path log;                 // of all events; empty: none
};

class SoakedWindow {
 public:
  explicit SoakedWindow(const SoakOptions& options);

  std::filesystem::path folder(const std::string& name) const { return m_folder / name; }
  // A copy of a capture of the test data; of the example that comes with the program.
  std::filesystem::path provide(const std::string& capture, const std::string& name) const;
  std::filesystem::path provideExample(const std::string& name) const;
  // Of the model and the texts, into this file.
  CaptureRequest request(const std::string& out) const;
  void begin(bool intervals);  // the program is started (again)
  // Until nothing loads and nothing runs; false when that never comes.
  bool settle() const;
  bool idle() const;  // no job, no capture, no thread that works
  void cancelAll() const;
  void closeTabs() const;  // one after the other
  // Runs plastiscope-cli to its end; its exit code.
  int runTool(const QStringList& arguments) const;

  std::unique_ptr<Session> session;
  std::unique_ptr<MainWindow> window;

 private:
  test::TemporaryFolder m_folder;
  std::filesystem::path m_model;
  std::vector<std::filesystem::path> m_texts;
};

// Runs the event loop until `done` or the time is over; the answer of `done`.
bool until(const std::function<bool()>& done, double seconds = 600);
void wait(double milliseconds);

// The sweeps: each prints a table and answers whether nothing is wrong.
bool soakEvents(const SoakOptions& options);
bool soakCancels(const SoakOptions& options);
bool soakAccidents(const SoakOptions& options);

}  // namespace plastiscope::sweep
