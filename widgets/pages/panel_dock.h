#pragma once
// A dock with the program's title bar: name, note, the view's own options, export, maximise, float and close.
#include <QDockWidget>
#include <QFrame>

class QComboBox;
class QHBoxLayout;
class QMainWindow;
class QToolButton;

namespace plastiscope {

class ElidedLabel;

// Before docks of the window are put elsewhere: Qt keeps the separator that is under the mouse as a path into
// their layout, and follows it when the mouse moves on, whatever stands there then (Qt 6.4).
void forgetSeparator(QMainWindow& window);

class PanelTitle : public QFrame {
  Q_OBJECT
 public:
  PanelTitle(const QString& title, QDockWidget* dock);
  void setTitle(const QString& title);  // "long|short": the short one where there is no room
  void setNote(const QString& note);
  void addOption(QWidget* option);
  void offerExport(bool offered);
  void offerMaximise();
  void setMaximised(bool maximised);  // what the button says it will do next
  QSize minimumSizeHint() const override;

 Q_SIGNALS:
  void exportRequested();
  void maximiseRequested();  // button, or double click on the bar

 protected:
  bool event(QEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;

 private:
  void makeRoom();
  int buttonsWidth(bool narrow) const;
  enum class Choices { Whole, Readable, Least };
  int optionsWidth(Choices choices) const;
  int titleWidth(const QString& title) const;
  int aroundAll() const;
  QToolButton* addButton(QAction* action);

  QString m_long, m_short, m_shown;
  int m_leastTitle = 0;  // pixels; layouts ask for it many times
  ElidedLabel *m_title, *m_note;
  QHBoxLayout *m_options, *m_buttons;
  QAction *m_export, *m_maximise, *m_float, *m_close;
  QList<QComboBox*> m_choices;
  QList<QToolButton*> m_all,
      m_spared;  // spared ones are hidden in narrow bars: the context menu has them too
};

class PanelDock : public QDockWidget {
  Q_OBJECT
 public:
  PanelDock(const QString& id, const QString& title, QWidget* parent = nullptr);
  // Its content, best made with this as its parent: whatever gets another parent is styled anew.
  QWidget* body() const { return widget(); }
  void setContent(QWidget* content);
  PanelTitle& bar() const { return *m_bar; }
  void showAsStrip();   // one line, without the title bar
  void bringForward();  // shown, its tab in front, a page that scrolls moved to it
  bool isStrip() const { return titleBarWidget() != static_cast<const QWidget*>(m_bar); }

 private:
  PanelTitle* m_bar;
};

}  // namespace plastiscope
