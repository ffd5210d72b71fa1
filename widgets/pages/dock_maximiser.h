#pragma once
// Lets one panel of a page take all of it, and gives the others their places back.
#include <QList>
#include <QMainWindow>
#include <QPointer>

#include "widgets/pages/panel_dock.h"

namespace plastiscope {

// How much room docks have, to be given back to those that are still there.
class DockSizes {
 public:
  void take(const QList<PanelDock*>& docks);  // those that are seen within the window
  void giveBack(QMainWindow& host);

 private:
  QList<QPointer<PanelDock>> m_docks;
  QList<int> m_widths, m_heights;
};

class DockMaximiser : public QObject {
  Q_OBJECT
 public:
  // `version`: of the host's saved layouts.
  DockMaximiser(QMainWindow& host, int version);

  void add(PanelDock* dock);  // shows the button in its title bar
  // Gives this panel the page, if it is one of them and is seen; or the others their places back.
  void toggle(const QWidget* panel);
  void restore();
  PanelDock* maximised() const { return m_maximised; }
  // The host's layout as it is without a maximised panel.
  QByteArray layout() const;

 private:
  QMainWindow& m_host;
  int m_version;
  QList<PanelDock*> m_docks, m_hidden;  // hidden: by the panel that is maximised
  PanelDock* m_maximised = nullptr;
  QByteArray m_before;
  DockSizes m_sizes;  // of the others, then
};

}  // namespace plastiscope
