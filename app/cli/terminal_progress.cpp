#include "app/cli/terminal_progress.h"

#include <unistd.h>

#include <cmath>
#include <csignal>
#include <cstdio>

#include "core/base/error.h"
#include "core/base/foreign_text.h"
#include "core/base/json.h"
#include "core/base/path_text.h"

namespace plastiscope {

namespace {

volatile std::sig_atomic_t stopFlag = 0;  // the only variable written by a signal handler

void onStop(int signal) {
  if (stopFlag != 0) std::signal(signal, SIG_DFL);
  stopFlag = 1;
}

void printJson(const Json& event) {
  std::fprintf(stderr, "%s\n", canonicalJson(event).c_str());
}

double rounded(double value) {
  return std::round(value * 10) / 10;
}

// Examples of a capture are computed together, so work may be done while no example is finished.
std::string countText(const ProgressState& state) {
  const std::string total = withCommas(static_cast<long long>(state.total)) + " " + state.unit;
  if (state.stage != "capture" || state.total <= 0)
    return withCommas(static_cast<long long>(state.done)) + "/" + total;
  return std::to_string(static_cast<int>(100 * state.done / state.total)) + " % of " + total;
}

std::string barText(const ProgressState& state) {
  constexpr int kWidth = 24;
  const double share = state.total > 0 ? std::min(1.0, state.done / state.total) : 0;
  const int filled = static_cast<int>(share * kWidth);
  std::string text = state.stage + " [" + std::string(static_cast<std::size_t>(filled), '#') +
                     std::string(static_cast<std::size_t>(kWidth - filled), '-') + "] ";
  text += countText(state);
  if (state.tokensPerSecond >= 0) {
    text += ", " + withCommas(std::llround(state.tokensPerSecond)) + " tokens/s";
  }
  if (state.etaSeconds >= 0) text += ", " + durationText(state.etaSeconds) + " left";
  return text;
}

}  // namespace

void tell(const GlobalOptions& global, const std::string& sentence) {
  if (!global.quiet && global.progress != ProgressForm::Json)
    std::fprintf(stderr, "plastiscope-cli: %s\n", sanitized(sentence, kLongestMessage).c_str());
}

void printLine(const std::string& text) {
  std::printf("%s\n", sanitized(text, kLongestMessage).c_str());
}

std::string durationText(double seconds) {
  const long long whole = std::llround(seconds);
  char text[48];
  if (whole < 60) {
    std::snprintf(text, sizeof text, "%lld s", whole);
  } else if (whole < 3600) {
    std::snprintf(text, sizeof text, "%lld min %02lld s", whole / 60, whole % 60);
  } else {
    std::snprintf(text, sizeof text, "%lld h %02lld min", whole / 3600, whole / 60 % 60);
  }
  return text;
}

ProgressStyle progressStyleOf(ProgressForm form, bool quiet) {
  if (form == ProgressForm::Json) return ProgressStyle::Events;
  if (form == ProgressForm::None || quiet) return ProgressStyle::None;
  return ::isatty(STDERR_FILENO) != 0 ? ProgressStyle::Bar : ProgressStyle::Lines;
}

void installStopSignals() {
  struct sigaction action {};
  action.sa_handler = onStop;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  std::signal(SIGXFSZ, SIG_IGN);
}

void TerminalProgress::started(std::string_view stage, std::string_view settingsJson) {
  const std::lock_guard lock(m_mutex);
  if (m_style != ProgressStyle::Events) return;
  Json event{{"event", "start"}, {"stage", stage}};
  event["settings"] = settingsJson.empty() ? Json::object() : parseJson(settingsJson, "settings");
  printJson(event);
}

void TerminalProgress::advanced(const ProgressState& state) {
  const std::lock_guard lock(m_mutex);
  const auto now = Clock::now();
  const bool last = state.done >= state.total;
  const auto pause =
      m_style == ProgressStyle::Lines ? std::chrono::milliseconds(10000) : std::chrono::milliseconds(100);
  if (m_style == ProgressStyle::None || (!last && now - m_lastShown < pause)) return;
  m_lastShown = now;
  if (m_style == ProgressStyle::Events) {
    Json event{{"event", "progress"},
               {"stage", state.stage},
               {"done", state.done},
               {"total", state.total},
               {"unit", state.unit}};
    if (state.tokensPerSecond >= 0) event["tokens_per_second"] = rounded(state.tokensPerSecond);
    if (state.etaSeconds >= 0) event["eta_seconds"] = rounded(state.etaSeconds);
    printJson(event);
  } else if (m_style == ProgressStyle::Lines) {
    std::fprintf(stderr, "%s\n", barText(state).c_str());
  } else {
    std::fprintf(stderr, "\r\033[K%s", barText(state).c_str());
    m_barShown = true;
    if (last) clearBar();
    std::fflush(stderr);
  }
}

void TerminalProgress::unitFinished(std::string_view unit) {
  const std::lock_guard lock(m_mutex);
  if (m_style == ProgressStyle::Events) printJson({{"event", "unit"}, {"unit", textOfBytes(unit)}});
}

void TerminalProgress::warned(std::string_view sentence) {
  say("warning", sentence);
}

void TerminalProgress::told(std::string_view sentence) {
  if (m_style != ProgressStyle::None) say("message", sentence);
}

void TerminalProgress::say(const char* event, std::string_view sentence) {
  const std::string text = sanitized(sentence, kLongestMessage);
  const std::lock_guard lock(m_mutex);
  if (m_style == ProgressStyle::Events) {
    printJson({{"event", event}, {"message", text}});
  } else {
    clearBar();
    const std::string kind = event == std::string_view("message") ? "" : std::string(event) + ": ";
    std::fprintf(stderr, "plastiscope-cli: %s%s\n", kind.c_str(), text.c_str());
  }
}

bool TerminalProgress::stopRequested() const {
  return stopFlag != 0;
}

void TerminalProgress::finished(const std::string& command) {
  const std::lock_guard lock(m_mutex);
  if (m_style == ProgressStyle::Events) printJson({{"event", "done"}, {"command", command}});
  clearBar();
}

void TerminalProgress::failed(const std::string& sentence, int exitCode) {
  const std::lock_guard lock(m_mutex);
  clearBar();
  if (m_style == ProgressStyle::Events)
    printJson({{"event", "error"}, {"message", sentence}, {"code", exitCode}});
  std::fprintf(stderr, "plastiscope-cli: %s\n", sentence.c_str());
}

void TerminalProgress::clearBar() {
  if (m_barShown) std::fprintf(stderr, "\r\033[K");
  m_barShown = false;
}

}  // namespace plastiscope
