#pragma once
// A dock with the program's title bar: name, note, the view's own options, float and close.
#include <QDockWidget>
#include <QFrame>

class QHBoxLayout;
class QLabel;

namespace plastiscope {

class PanelTitle : public QFrame {
  Q_OBJECT
 public:
  PanelTitle(const QString& title, QDockWidget* dock);
  void setTitle(const QString& title);
  void setNote(const QString& note);
  void addOption(QWidget* option);

 private:
  QLabel *m_title, *m_note;
  QHBoxLayout* m_options;
};

class PanelDock : public QDockWidget {
  Q_OBJECT
 public:
  PanelDock(const QString& id, const QString& title, QWidget* content, QWidget* parent = nullptr);
  PanelTitle& bar() const { return *m_bar; }

 private:
  PanelTitle* m_bar;
};

}  // namespace plastiscope
