#pragma once
#include <QElapsedTimer>
#include <QEventLoop>
#include <QTest>
#include <functional>

namespace plastiscope::test {

// Runs the event loop until `done` or the time is over; the answer of `done`. The time only bounds a failing
// test.
inline bool waitFor(const std::function<bool()>& done, int milliseconds = 60000) {
  QElapsedTimer clock;
  clock.start();
  while (!done() && clock.elapsed() < milliseconds) QTest::qWait(5);
  return done();
}

// Lets everything that is queued now happen.
inline void settleEvents() {
  for (int i = 0; i < 5; ++i) QCoreApplication::processEvents(QEventLoop::AllEvents, 50);
}

}  // namespace plastiscope::test
