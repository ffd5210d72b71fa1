#pragma once
// Page made of panels: docks with default places, their figures, the active one, and a maximised one. Base of
// the pages of a model and of a comparison.
#include <QMainWindow>
#include <QPointer>
#include <map>
#include <vector>

#include "widgets/pages/panel_dock.h"

namespace plastiscope {

// Tracks the panel that the pointer entered last or that has the focus: target of export, F10 and help.
class ActivePanel : public QObject {
  Q_OBJECT
 public:
  ActivePanel();
  void watch(QWidget* panel);
  void enter(QWidget* panel);                 // as if entered by the pointer
  QWidget* panel() const { return m_panel; }  // null before the first

 Q_SIGNALS:
  void entered(QWidget* panel);  // also for the same panel

 protected:
  bool eventFilter(QObject* object, QEvent* event) override;

 private:
  void followKeyboard(const QWidget& now);

  QList<QPointer<QWidget>> m_watched;
  QPointer<QWidget> m_panel;
};

// Figure that export draws for a panel, and whether it depends on the metric; no name: none.
struct PanelFigure {
  QString name;
  bool showsMetric = false;
  bool operator==(const PanelFigure&) const = default;
};

// Default layout. Places are numbers; panels of one place are tabs.
struct PanelLayout {
  struct Split {
    int from, to;  // `to` gets a part of the space of `from`
    Qt::Orientation direction;
  };
  struct Share {
    Qt::Orientation direction;
    std::vector<std::pair<int, int>> places;  // place, percent of the page
  };
  int version;                // version of saved layouts
  std::vector<Split> splits;  // the first one starts with the place that has all the space
  std::vector<Share> shares;
};

class PanelWindow : public QMainWindow {
  Q_OBJECT
 public:
  PanelWindow(PanelLayout layout, const PanelFigure& first, QWidget* parent = nullptr);
  ~PanelWindow() override;

  PanelDock* addPanel(PanelDock* dock, int place, const PanelFigure& figure = {});
  PanelTitle& bar(const QString& id) const;
  void arrange();  // moves all panels to their default places; call once all are added
  const QList<PanelDock*>& docks() const { return m_docks; }
  QList<QAction*> panelActions() const;  // show and hide
  ActivePanel& active() { return m_active; }

  // Maximises the panel under the mouse (or with the focus), or restores it.
  void maximiseCurrent() { toggleMaximised(m_active.panel()); }
  bool hasMaximised() const { return m_maximised != nullptr; }
  // Figure of the panel with the focus or last under the mouse, and its current image.
  QString currentFigure() const { return m_figure.name; }
  bool figureShowsMetric() const { return m_figure.showsMetric; }
  QPixmap currentPicture() const;

  QByteArray layoutState() const { return m_laidOut ? savedLayout() : m_wanted; }
  void restoreLayout(const QByteArray& state);  // ignores invalid data
  void resetLayout();

 Q_SIGNALS:
  void layoutChanged();
  void maximisedChanged();              // the window then hides or shows its own docks
  void exportRequested();               // for currentFigure()
  void dragRequested();                 // of currentFigure()
  void viewEntered(const QString& id);  // by the pointer or the keyboard

 protected:
  void childEvent(QChildEvent* event) override;
  bool eventFilter(QObject* object, QEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  // View of a dock, by default the dock itself: its id, its widget and its figure.
  virtual QString viewIn(const PanelDock& dock) const { return dock.objectName(); }
  virtual QWidget* pictureIn(const PanelDock& dock) const { return dock.widget(); }
  virtual QByteArray savedLayout() const { return dockState(); }
  virtual bool applyLayout(const QByteArray& state) { return restoreState(state, m_layout.version); }
  QByteArray dockState() const;  // without a maximised panel
  void deletePanels();           // before the objects they use are destroyed
  void setFigure(const QString& view, const PanelFigure& figure) { m_figures[view] = figure; }
  const PanelFigure& figureOf(const QString& view) const;

 private:
  PanelDock* firstAt(int place) const;  // null: no panel in that place
  void sizeDocks();
  void layOut();  // once, when the page has its size
  void enter(QWidget* dock);
  int tabsAbove(PanelDock* dock) const;
  void toggleMaximised(const QWidget* panel);
  void restoreOthers();
  bool isCrushed() const;  // smaller than the minimum of its panels
  void giveBack();

  PanelLayout m_layout;
  ActivePanel m_active;
  QList<PanelDock*> m_docks;
  std::map<int, QList<PanelDock*>> m_places;
  std::map<QString, PanelFigure> m_figures;  // by view
  PanelFigure m_figure;
  QByteArray m_wanted;  // layout to restore once the page has its size
  bool m_laidOut = false;

  // For a maximised panel: previous layout, and the sizes of the other panels, which are hidden.
  struct Size {
    QPointer<PanelDock> dock;
    int width, height;
  };
  PanelDock* m_maximised = nullptr;
  QByteArray m_before;
  QList<PanelDock*> m_hidden;
  std::vector<Size> m_sizes;

  // Sizes of panels as shares of the page, restored when it is large enough again.
  std::map<PanelDock*, QSizeF> m_shares;
  bool m_crushed = false;
};

}  // namespace plastiscope
