#pragma once
// Progress on stderr: a bar on a terminal, else a line now and then, or one JSON object per line
// (resources/help/commands.md).
#include <chrono>
#include <memory>
#include <mutex>
#include <string>

#include "app/cli/command.h"
#include "core/base/progress.h"

namespace plastiscope {

enum class ProgressStyle { Bar, Lines, Events, None };  // Events: JSON, one per line

ProgressStyle progressStyleOf(ProgressForm form, bool quiet);

// Ctrl-C and SIGTERM set a flag instead of ending the process; a second Ctrl-C ends it at once. A write
// beyond the file-size limit returns an error code instead of a signal.
void installStopSignals();

class TerminalProgress : public Progress {
 public:
  void setStyle(ProgressStyle style) { m_style = style; }
  void started(std::string_view stage, std::string_view settingsJson) override;
  void advanced(const ProgressState& state) override;
  void unitFinished(std::string_view unit) override;
  void warned(std::string_view sentence) override;
  void told(std::string_view sentence) override;
  bool stopRequested() const override;
  // Last event of a command that succeeded or failed.
  void finished(const std::string& command);
  void failed(const std::string& sentence, int exitCode);

 private:
  using Clock = std::chrono::steady_clock;
  void clearBar();
  void say(const char* event, std::string_view sentence);

  std::mutex m_mutex;
  ProgressStyle m_style = ProgressStyle::None;
  bool m_barShown = false;
  Clock::time_point m_lastShown = Clock::now();  // short stages show only their end
};

// Message for users, not programs: a line on stderr, unless --quiet or --progress json.
void tell(const GlobalOptions& global, const std::string& sentence);

// Prints a line on standard output with untrusted text escaped.
void printLine(const std::string& text);

// "7 min 20 s", "1 h 05 min"
std::string durationText(double seconds);

}  // namespace plastiscope
