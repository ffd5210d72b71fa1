#pragma once
// Dock with a custom title bar: name, note, options of the view, export, maximise, float and close.
#include <QDockWidget>
#include <QFrame>

class QComboBox;
class QHBoxLayout;
class QMainWindow;
class QToolButton;

namespace plastiscope {

class ElidedLabel;

// Call before moving docks of the window: Qt stores the separator under the mouse as a path into the layout
// and uses it at the next mouse move even if the layout has changed (Qt 6.4).
void forgetSeparator(QMainWindow& window);

class PanelTitle : public QFrame {
  Q_OBJECT
 public:
  PanelTitle(const QString& title, QDockWidget* dock);
  void setTitle(const QString& title);  // "long|short": the short one when space is short
  void setNote(const QString& note);
  void addOption(QWidget* option);
  void offerExport(bool offered);
  void offerMaximise();
  void setMaximised(bool maximised);  // sets the button's function
  QSize minimumSizeHint() const override;

 Q_SIGNALS:
  void exportRequested();
  void dragRequested();      // the export button is dragged
  void maximiseRequested();  // button, or double click on the title bar

 protected:
  bool event(QEvent* event) override;
  bool eventFilter(QObject* object, QEvent* event) override;  // of the export button
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
  int m_leastTitle = 0;  // pixels; cached, since layouts request it often
  ElidedLabel *m_title, *m_note;
  QHBoxLayout *m_options, *m_buttons;
  QAction *m_export, *m_maximise, *m_float, *m_close;
  QList<QComboBox*> m_choices;
  QList<QToolButton*> m_all,
      m_spared;  // hidden in narrow bars; also in the context menu
};

class PanelDock : public QDockWidget {
  Q_OBJECT
 public:
  PanelDock(const QString& id, const QString& title, QWidget* parent = nullptr);
  // Content of the dock; create it with this parent, since a change of parent restyles all widgets.
  QWidget* body() const { return widget(); }
  void setContent(QWidget* content);
  PanelTitle& bar() const { return *m_bar; }
  void showAsStrip();   // one line, without the title bar
  void bringForward();  // shows it, raises its tab, scrolls to it
  bool isStrip() const { return titleBarWidget() != static_cast<const QWidget*>(m_bar); }

 private:
  PanelTitle* m_bar;
};

}  // namespace plastiscope
