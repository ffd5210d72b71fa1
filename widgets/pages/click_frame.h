#pragma once
// A framed row or card that works like a button: mouse, Enter and Space.
#include <QFrame>

namespace plastiscope {

class ClickFrame : public QFrame {
  Q_OBJECT
 public:
  explicit ClickFrame(QWidget* parent = nullptr);

 Q_SIGNALS:
  void clicked();

 protected:
  void mouseReleaseEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
};

}  // namespace plastiscope
