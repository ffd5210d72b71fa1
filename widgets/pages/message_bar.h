#pragma once
// One readable sentence above the tabs, with an optional action; it can be dismissed, and its text copied.
#include <QFrame>
#include <functional>

class QLabel;
class QPushButton;
class QTimer;
class QToolButton;

namespace plastiscope {

struct Message {
  enum class Kind { Info, Good, Caution, Bad };
  Kind kind = Kind::Info;
  QString text;
  QString actionTitle;  // "" = no button
  std::function<void()> action;
  int hideAfterMilliseconds = 0;  // 0 = until dismissed
  QString otherTitle = {};        // a second button; "" = none
  std::function<void()> other = {};
  const QWidget* page = nullptr;  // that it is about: it is hidden when another comes to the front
};

class MessageBar : public QFrame {
  Q_OBJECT
 public:
  explicit MessageBar(QWidget* parent = nullptr);
  void show(const Message& message);  // replaces the one before
  QString text() const;
  void pageChanged(const QWidget* front);
  // At the foot of a page, over what stands there: nothing is pushed aside.
  void floatOver(QWidget& page);
  using QFrame::show;

 protected:
  bool eventFilter(QObject* object, QEvent* event) override;

 private:
  void settle();

  QWidget* m_page = nullptr;         // that it floats over
  const QWidget* m_about = nullptr;  // that the message is about, only compared
  QLabel *m_icon, *m_text;
  QPushButton *m_action, *m_other;
  QToolButton *m_copy, *m_close;
  std::function<void()> m_run, m_runOther;
  QTimer* m_hide;
};

}  // namespace plastiscope
