#pragma once
#include <QApplication>
#include <QMouseEvent>
#include <QWidget>

namespace plastiscope::test {

// The mouse moved to a place of the widget with the left button held down, which QTest::mouseMove does not
// say.
inline void moveHeld(QWidget& widget, QPoint to, Qt::KeyboardModifiers keys = {}) {
  QMouseEvent move(QEvent::MouseMove, to, widget.mapToGlobal(to), Qt::NoButton, Qt::LeftButton, keys);
  QApplication::sendEvent(&widget, &move);
}

}  // namespace plastiscope::test
