#pragma once
// Tool bar: < L12 H6 > with a star. The name can be typed.
#include <QWidget>
#include <optional>

#include "core/capture/head_choice.h"

class QLineEdit;
class QToolButton;

namespace plastiscope {

class HeadStepper : public QWidget {
  Q_OBJECT
 public:
  explicit HeadStepper(QWidget* parent = nullptr);
  void show(std::optional<HeadName> head, bool marked);  // nothing: disabled
  using QWidget::show;

 Q_SIGNALS:
  void stepped(int by);                    // -1, +1
  void typed(plastiscope::HeadName head);  // may be a head that is not there
  void starToggled();

 private:
  QToolButton *m_previous, *m_next, *m_star;
  QLineEdit* m_name;
};

}  // namespace plastiscope
