#pragma once
// Bars with a sentence and its actions: messages of the window, and the rows that a model tab shows.
#include <QFrame>
#include <functional>
#include <map>

class QLabel;
class QPushButton;
class QTimer;
class QToolButton;

namespace plastiscope {

class IconLabel;
struct RowChoice;

struct Message {
  enum class Kind { Info, Good, Caution, Bad };
  Kind kind = Kind::Info;
  QString text = {};
  QString actionTitle = {};  // "" = no button
  std::function<void()> action = {};
  int hideAfterMilliseconds = 0;  // 0 = until dismissed
  QString otherTitle = {};        // a second button; "" = none
  std::function<void()> other = {};
  // Shown only while this page is current, and if timed gone with it; null = always.
  QWidget* page = nullptr;
};

// Below the tabs: one sentence with optional actions; it can be dismissed and copied.
class MessageBar : public QFrame {
  Q_OBJECT
 public:
  explicit MessageBar(QWidget* parent = nullptr);
  void show(const Message& message);  // replaces the previous one; a message about a hidden page waits for it
  void say(Message::Kind kind, const QString& text, int hideAfterMilliseconds = 0);
  // Shown while this page is current.
  void sayOf(QWidget* page, Message::Kind kind, const QString& text, int hideAfterMilliseconds = 0);
  void sayDone(const QString& text) { say(Message::Kind::Good, text, kDoneMilliseconds); }
  // Offers a new tab instead of showing it: the user may be working in the current one.
  void offerTab(const QString& text, std::function<void()> showTab);
  static constexpr int kDoneMilliseconds = 8000;
  QString text() const;
  void pageChanged(QWidget* front);
  using QFrame::show;

 private:
  void dismiss();
  void forget(QWidget* page);

  QWidget *m_front = nullptr, *m_about = nullptr;  // compared only: current page, page of the message
  std::map<QWidget*, Message> m_ofPages;           // until dismissed
  IconLabel* m_icon;
  QLabel* m_text;
  QPushButton *m_action, *m_other;
  QToolButton *m_copy, *m_close;
  std::function<void()> m_run, m_runOther;
  QTimer* m_hide;
};

// Shown above a model tab that is computed from only some rows of its capture; its button uses all rows.
class RowsBanner : public QFrame {
  Q_OBJECT
 public:
  explicit RowsBanner(QWidget* parent = nullptr);

  // Hidden for all rows. `state`: progress or error, "" = these rows are shown.
  void showChoice(const RowChoice& choice, const QString& state);
  void offerButtons(bool offered);  // not if the file itself has only some rows

 Q_SIGNALS:
  void changeRequested();
  void allRequested();

 private:
  IconLabel* m_icon;
  QLabel* m_text;
  QPushButton *m_change, *m_all;
};

}  // namespace plastiscope
