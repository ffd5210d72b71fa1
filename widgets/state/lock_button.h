#pragma once
// The switch that locks a view's range, and shows that it is locked.
#include <QToolButton>

namespace plastiscope {

class LockButton : public QToolButton {
  Q_OBJECT
 public:
  explicit LockButton(QWidget* parent = nullptr);
  void setLocked(bool locked);  // emits nothing

 Q_SIGNALS:
  void lockRequested(bool lock);  // by the user
};

}  // namespace plastiscope
