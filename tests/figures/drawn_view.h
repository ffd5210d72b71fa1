#pragma once
// Shows a plot widget and waits until it is drawn.
#include <QSignalSpy>
#include <QTest>

#include "widgets/plots/qcp.h"

namespace plastiscope::test {

// True when the view was drawn, including the redraw at its final size.
inline bool showDrawn(QWidget& view, QSize size) {
  QSignalSpy drawn(view.findChild<QCustomPlot*>(), &QCustomPlot::afterReplot);
  view.resize(size);
  view.show();
  if (!QTest::qWaitForWindowExposed(&view) || !QTest::qWaitFor([&] { return !drawn.isEmpty(); }))
    return false;
  for (qsizetype before = -1; before != drawn.size();) {
    before = drawn.size();
    QCoreApplication::processEvents();
  }
  return true;
}

}  // namespace plastiscope::test
