#pragma once
// A page that is made of panels: docks with their default places, what each shows, which one is active, and
// one that may take the whole page. The pages of a model and of a comparison are such windows.
#include <QMainWindow>
#include <QPointer>
#include <map>
#include <vector>

#include "widgets/pages/panel_dock.h"

namespace plastiscope {

// Notes which panel of a page the pointer entered last, or has the keyboard: what export, F10 and the help
// mean by "this one".
class ActivePanel : public QObject {
  Q_OBJECT
 public:
  ActivePanel();
  void watch(QWidget* panel);
  void enter(QWidget* panel);                 // as if the pointer had
  QWidget* panel() const { return m_panel; }  // null before the first

 Q_SIGNALS:
  void entered(QWidget* panel);  // also again

 protected:
  bool eventFilter(QObject* object, QEvent* event) override;

 private:
  void followKeyboard(const QWidget& now);

  QList<QPointer<QWidget>> m_watched;
  QPointer<QWidget> m_panel;
};

// What export draws for a panel, and whether that is a figure of the chosen metric; no name: nothing.
struct PanelFigure {
  QString name;
  bool showsMetric = false;
  bool operator==(const PanelFigure&) const = default;
};

// Where panels stand at first. Places are numbers; panels of one place share it as tabs.
struct PanelLayout {
  struct Split {
    int from, to;  // the place `to` takes a part of the room of `from`
    Qt::Orientation direction;
  };
  struct Share {
    Qt::Orientation direction;
    std::vector<std::pair<int, int>> places;  // place, percent of the page
  };
  int version;                // of what is kept of it
  std::vector<Split> splits;  // the first one begins with the place that has all the room
  std::vector<Share> shares;
};

class PanelWindow : public QMainWindow {
  Q_OBJECT
 public:
  PanelWindow(PanelLayout layout, const PanelFigure& first, QWidget* parent = nullptr);
  ~PanelWindow() override;

  PanelDock* addPanel(PanelDock* dock, int place, const PanelFigure& figure = {});
  PanelTitle& bar(const QString& id) const;
  void arrange();  // all panels at their first places; call once when all are there
  const QList<PanelDock*>& docks() const { return m_docks; }
  QList<QAction*> panelActions() const;  // show and hide
  ActivePanel& active() { return m_active; }

  // The panel under the mouse (or with the keyboard) takes the whole page, or gives it back.
  void maximiseCurrent() { toggleMaximised(m_active.panel()); }
  bool hasMaximised() const { return m_maximised != nullptr; }
  // The figure of the panel that has the keyboard, or was last under the mouse, and the panel as it is seen.
  QString currentFigure() const { return m_figure.name; }
  bool figureShowsMetric() const { return m_figure.showsMetric; }
  QPixmap currentPicture() const;

  QByteArray layoutState() const { return m_laidOut ? savedLayout() : m_wanted; }
  void restoreLayout(const QByteArray& state);  // what is no layout changes nothing
  void resetLayout();

 Q_SIGNALS:
  void layoutChanged();
  void maximisedChanged();              // the window around the page gives its room, too
  void exportRequested();               // of currentFigure()
  void viewEntered(const QString& id);  // by the pointer or the keyboard

 protected:
  void childEvent(QChildEvent* event) override;
  bool eventFilter(QObject* object, QEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  // A dock is one view, unless the page knows better: its id, its widget and its figure.
  virtual QString viewIn(const PanelDock& dock) const { return dock.objectName(); }
  virtual QWidget* pictureIn(const PanelDock& dock) const { return dock.widget(); }
  virtual QByteArray savedLayout() const { return dockState(); }
  virtual bool takeLayout(const QByteArray& state) { return restoreState(state, m_layout.version); }
  QByteArray dockState() const;  // as it is without a maximised panel
  void deletePanels();           // before what they use goes
  void setFigure(const QString& view, const PanelFigure& figure) { m_figures[view] = figure; }
  const PanelFigure& figureOf(const QString& view) const;

 private:
  PanelDock* firstAt(int place) const;  // null: no panel stands there
  void sizeDocks();
  void layOut();  // once, when the page has its size
  void enter(QWidget* dock);
  int tabsAbove(PanelDock* dock) const;
  void toggleMaximised(const QWidget* panel);
  void restoreOthers();
  bool isCrushed() const;  // has less room than its panels need at least
  void giveBack();

  PanelLayout m_layout;
  ActivePanel m_active;
  QList<PanelDock*> m_docks;
  std::map<int, QList<PanelDock*>> m_places;
  std::map<QString, PanelFigure> m_figures;  // by view
  PanelFigure m_figure;
  QByteArray m_wanted;  // the layout to take once the page has its size
  bool m_laidOut = false;

  // A maximised panel, the layout before, and the sizes of the others, which are hidden.
  struct Size {
    QPointer<PanelDock> dock;
    int width, height;
  };
  PanelDock* m_maximised = nullptr;
  QByteArray m_before;
  QList<PanelDock*> m_hidden;
  std::vector<Size> m_sizes;

  // Shares of the page that panels have while they have room: they come back with it.
  std::map<PanelDock*, QSizeF> m_shares;
  bool m_crushed = false;
};

}  // namespace plastiscope
