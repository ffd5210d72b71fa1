#pragma once
#include <QElapsedTimer>
#include <QEventLoop>
#include <QTest>
#include <functional>

namespace plastiscope::test {

// Runs the event loop until `done` or the time is over; returns the result of `done`. The time only limits
// failing tests.
inline bool waitFor(const std::function<bool()>& done, int milliseconds = 60000) {
  QElapsedTimer clock;
  clock.start();
  while (!done() && clock.elapsed() < milliseconds) QTest::qWait(5);
  return done();
}

// Processes all queued events.
inline void settleEvents() {
  for (int i = 0; i < 5; ++i) QCoreApplication::processEvents(QEventLoop::AllEvents, 50);
}

}  // namespace plastiscope::test
