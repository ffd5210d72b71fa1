#include "widgets/pages/click_frame.h"

#include <QKeyEvent>
#include <QMouseEvent>

namespace plastiscope {

ClickFrame::ClickFrame(QWidget* parent) : QFrame(parent) {
  setCursor(Qt::PointingHandCursor);
  setFocusPolicy(Qt::StrongFocus);
}

void ClickFrame::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton && rect().contains(event->pos())) Q_EMIT clicked();
}

void ClickFrame::keyPressEvent(QKeyEvent* event) {
  const bool press =
      event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter || event->key() == Qt::Key_Space;
  if (press)
    Q_EMIT clicked();
  else
    QFrame::keyPressEvent(event);
}

}  // namespace plastiscope
