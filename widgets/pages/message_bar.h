#pragma once
// Message above the tabs: one sentence with an optional action; it can be dismissed and copied.
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
  QWidget* page = nullptr;  // shown only while this page is current; null = always
};

class MessageBar : public QFrame {
  Q_OBJECT
 public:
  explicit MessageBar(QWidget* parent = nullptr);
  void show(const Message& message);  // replaces the previous one; a message about a hidden page waits for it
  QString text() const;
  void pageChanged(QWidget* front);
  // Floats over the bottom of a page without moving its content.
  void floatOver(QWidget& page);
  using QFrame::show;

 protected:
  bool eventFilter(QObject* object, QEvent* event) override;

 private:
  void settle();
  void dismiss();
  void forget(QWidget* page);

  QWidget* m_page = nullptr;                       // page under the floating bar
  QWidget *m_front = nullptr, *m_about = nullptr;  // compared only: current page, page of the message
  std::map<QWidget*, Message> m_ofPages;           // until dismissed
  IconLabel* m_icon;
  QLabel* m_text;
  QPushButton *m_action, *m_other;
  QToolButton *m_copy, *m_close;
  std::function<void()> m_run, m_runOther;
  QTimer* m_hide;
};

}  // namespace plastiscope
