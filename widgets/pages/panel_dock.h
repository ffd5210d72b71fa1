#pragma once
// A dock with the program's title bar: name, note, the view's own options, maximise, float and close.
#include <QDockWidget>
#include <QFrame>

class QHBoxLayout;
class QLabel;
class QToolButton;

namespace plastiscope {

class PanelTitle : public QFrame {
  Q_OBJECT
 public:
  PanelTitle(const QString& title, QDockWidget* dock);
  void setTitle(const QString& title);
  void setNote(const QString& note);
  void addOption(QWidget* option);
  void offerMaximise();
  void setMaximised(bool maximised);  // what the button says it will do next

 Q_SIGNALS:
  void maximiseRequested();  // button, or double click on the bar

 protected:
  void mouseDoubleClickEvent(QMouseEvent* event) override;

 private:
  QToolButton* m_maximise;
  QLabel *m_title, *m_note;
  QHBoxLayout* m_options;
};

class PanelDock : public QDockWidget {
  Q_OBJECT
 public:
  PanelDock(const QString& id, const QString& title, QWidget* content, QWidget* parent = nullptr);
  PanelTitle& bar() const { return *m_bar; }
  void showAsStrip();  // one line, without the title bar

 private:
  PanelTitle* m_bar;
};

}  // namespace plastiscope
