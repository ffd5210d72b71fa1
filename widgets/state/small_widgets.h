#pragma once
// A name in one line that gives way when there is little room.
#include <QLabel>
#include <QToolButton>

namespace plastiscope {

class ElidedLabel : public QLabel {
  Q_OBJECT
 public:
  // At most `most` pixels wide, and at least `least`.
  explicit ElidedLabel(int most, QWidget* parent = nullptr, int least = 28);
  void setName(const QString& name);
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  int whole() const;

  QString m_name;
  int m_most, m_least;
};

// The switch that locks a view's range, and shows that it is locked.
class LockButton : public QToolButton {
  Q_OBJECT
 public:
  explicit LockButton(QWidget* parent = nullptr);
  void setLocked(bool locked);  // emits nothing

 Q_SIGNALS:
  void lockRequested(bool lock);  // by the user
};

}  // namespace plastiscope
