#pragma once
// The docks of a compare tab: where they stand at first, how they share the room, and which of them was last
// under the mouse or has the keyboard.
#include <QMainWindow>
#include <map>

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

  CompareDocks();

  PanelDock* add(const QString& id, const QString& title, QWidget* content, const DockFigure& figure = {});
  PanelTitle& bar(const QString& id) const { return m_docks.at(id).dock->bar(); }
  void arrange();    // all docks at their first places; call once when all are there
  void shareRoom();  // the first sizes, unless a layout was restored
  void resetLayout();
  QByteArray layoutState() const { return saveState(kLayoutVersion); }
  void restoreLayout(const QByteArray& state);
  QList<QAction*> panelActions() const;

  const DockFigure& currentFigure() const { return m_current; }
  QPixmap currentPicture();

 Q_SIGNALS:
  void layoutChanged();

 protected:
  bool eventFilter(QObject* object, QEvent* event) override;

 private:
  static constexpr int kLayoutVersion = 1;
  struct Entry {
    PanelDock* dock;
    DockFigure figure;
  };
  void sizeDocks();

  std::map<QString, Entry> m_docks;
  DockFigure m_current{QStringLiteral("compare"), false};
  bool m_sized = false;
};

}  // namespace plastiscope
