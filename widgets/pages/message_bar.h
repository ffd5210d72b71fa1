#pragma once
// One readable sentence above the tabs, with an optional action; it can be dismissed, and its text copied.
#include <QFrame>
#include <functional>
#include <map>

class QLabel;
class QPushButton;
class QTimer;
class QToolButton;

namespace plastiscope {

class IconLabel;

struct Message {
  enum class Kind { Info, Good, Caution, Bad };
  Kind kind = Kind::Info;
  QString text;
  QString actionTitle;  // "" = no button
  std::function<void()> action;
  int hideAfterMilliseconds = 0;  // 0 = until dismissed
  QString otherTitle = {};        // a second button; "" = none
  std::function<void()> other = {};
  QWidget* page = nullptr;  // that it is about: it is shown while that is in front
};

class MessageBar : public QFrame {
  Q_OBJECT
 public:
  explicit MessageBar(QWidget* parent = nullptr);
  void show(const Message& message);  // replaces the one before; one about a page that is behind waits for it
  QString text() const;
  void pageChanged(QWidget* front);
  // At the foot of a page, over what stands there: nothing is pushed aside.
  void floatOver(QWidget& page);
  using QFrame::show;

 protected:
  bool eventFilter(QObject* object, QEvent* event) override;

 private:
  void settle();
  void dismiss();
  void forget(QWidget* page);

  QWidget* m_page = nullptr;                       // that it floats over
  QWidget *m_front = nullptr, *m_about = nullptr;  // only compared: the page in front, that of the message
  std::map<QWidget*, Message> m_ofPages;           // until they are dismissed
  IconLabel* m_icon;
  QLabel* m_text;
  QPushButton *m_action, *m_other;
  QToolButton *m_copy, *m_close;
  std::function<void()> m_run, m_runOther;
  QTimer* m_hide;
};

}  // namespace plastiscope
