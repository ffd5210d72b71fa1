#pragma once
#include <QApplication>
#include <QMouseEvent>
#include <QWidget>

namespace plastiscope::test {

// Moves the mouse with the left button held down, which QTest::mouseMove cannot do.
inline void moveHeld(QWidget& widget, QPoint to, Qt::KeyboardModifiers keys = {}) {
  QMouseEvent move(QEvent::MouseMove, to, widget.mapToGlobal(to), Qt::NoButton, Qt::LeftButton, keys);
  QApplication::sendEvent(&widget, &move);
}

}  // namespace plastiscope::test
