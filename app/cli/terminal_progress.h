#pragma once
// Progress on stderr: a bar on a terminal, a line from time to time elsewhere, or one JSON object per line
// (resources/help/commands.md).
#include <chrono>
#include <memory>
#include <mutex>
#include <string>

#include "app/cli/command.h"
#include "core/base/progress.h"

namespace plastiscope {

enum class ProgressStyle { Bar, Lines, Events, None };  // Events: JSON, one a line

ProgressStyle progressStyleOf(ProgressForm form, bool quiet);

// Ctrl-C and SIGTERM set a flag instead of ending the process; a second Ctrl-C ends it at once. A write
// beyond the file-size limit becomes an error code instead of a signal.
void installStopSignals();

class TerminalProgress : public Progress {
 public:
  void setStyle(ProgressStyle style) { m_style = style; }
  void started(std::string_view stage, std::string_view settingsJson) override;
  void advanced(const ProgressState& state) override;
  void unitFinished(std::string_view unit) override;
  void warned(std::string_view sentence) override;
  bool stopRequested() const override;
  // The last event of a command that went well, and of one that did not.
  void finished(const std::string& command);
  void failed(const std::string& sentence, int exitCode);

 private:
  using Clock = std::chrono::steady_clock;
  void clearBar();

  std::mutex m_mutex;
  ProgressStyle m_style = ProgressStyle::None;
  bool m_barShown = false;
  Clock::time_point m_lastShown = Clock::now();  // so quick stages show their end only
};

// What a person wants to know and a program does not: a line on stderr, unless --quiet or --progress json.
void tell(const GlobalOptions& global, const std::string& sentence);

// A line on standard output, safe to print.
void printLine(const std::string& text);

// "7 min 20 s", "1 h 05 min"
std::string durationText(double seconds);

}  // namespace plastiscope
