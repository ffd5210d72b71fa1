#pragma once
// The docks of a compare tab: where they stand at first, how they share the room, and what export draws for
// the one that was entered last.
#include <QMainWindow>
#include <map>

#include "widgets/pages/dock_maximiser.h"
#include "widgets/pages/entered_panel.h"
#include "widgets/pages/panel_dock.h"

namespace plastiscope {

// What export draws for a dock, and whether that is a figure of the chosen metric; no name: nothing.
struct DockFigure {
  QString name;
  bool showsMetric = false;
  bool operator==(const DockFigure&) const = default;
};

class CompareDocks : public QMainWindow {
  Q_OBJECT
 public:
  // Ids of the docks that are no pictures of a list.
  static constexpr const char* kGrids = "compareGridsDock";
  static constexpr const char* kMaps = "compareMapsDock";
  static constexpr const char* kDifference = "compareDifferenceDock";
  static constexpr const char* kDrift = "compareDriftDock";
  static constexpr const char* kNumbers = "compareNumbersDock";

  // `entered` must outlive the docks.
  explicit CompareDocks(EnteredPanel& entered);

  PanelDock* add(const QString& id, const QString& title, QWidget* content, const DockFigure& figure = {});
  PanelTitle& bar(const QString& id) const { return m_docks.at(id).dock->bar(); }
  void arrange();    // all docks at their first places; call once when all are there
  void shareRoom();  // the first sizes, unless a layout was restored
  void resetLayout();
  QByteArray layoutState() const { return m_sized ? m_maximiser.layout() : m_wanted; }
  void restoreLayout(const QByteArray& state);
  QList<QAction*> panelActions() const;

  const DockFigure& currentFigure() const { return m_current; }
  QPixmap currentPicture();
  // The panel under the mouse (or with the keyboard) takes the whole page, or gives it back.
  void maximiseCurrent() { m_maximiser.toggle(m_entered.panel()); }

 Q_SIGNALS:
  void layoutChanged();
  void exportRequested();  // of currentFigure()

 private:
  static constexpr int kLayoutVersion = 1;
  struct Entry {
    PanelDock* dock;
    DockFigure figure;
  };
  void sizeDocks();
  void enter(const QWidget& panel);

  EnteredPanel& m_entered;
  DockMaximiser m_maximiser;
  std::map<QString, Entry> m_docks;
  DockFigure m_current{QStringLiteral("compare"), false};
  QByteArray m_wanted;  // the layout to take once there is room
  bool m_sized = false;
};

}  // namespace plastiscope
