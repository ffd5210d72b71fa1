#include "app/cli/stop_signal.h"

#include <csignal>

namespace plastiscope {

namespace {

volatile std::sig_atomic_t stopFlag = 0;  // the one thing a signal handler may write

void onStop(int signal) {
  if (stopFlag != 0) std::signal(signal, SIG_DFL);
  stopFlag = 1;
}

}  // namespace

void installStopSignals() {
  struct sigaction action {};
  action.sa_handler = onStop;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  std::signal(SIGXFSZ, SIG_IGN);
}

bool stopSignalled() {
  return stopFlag != 0;
}

}  // namespace plastiscope
