#include "widgets/pages/dock_maximiser.h"

#include <algorithm>
#include <utility>

#include "widgets/pages/panel_dock.h"

namespace plastiscope {

void DockSizes::take(const QList<PanelDock*>& docks) {
  *this = {};
  for (PanelDock* dock : docks) {
    if (dock->isFloating() || dock->visibleRegion().isEmpty()) continue;
    m_docks.append(dock);
    m_widths.append(dock->width());
    m_heights.append(dock->height());
  }
}

void DockSizes::giveBack(QMainWindow& host) {
  for (qsizetype i = m_docks.size(); i-- > 0;) {
    if (m_docks[i] != nullptr && !m_docks[i]->isFloating() && m_docks[i]->isVisible()) continue;
    m_docks.removeAt(i);
    m_widths.removeAt(i);
    m_heights.removeAt(i);
  }
  QList<QDockWidget*> docks;
  for (const QPointer<PanelDock>& dock : m_docks) docks.append(dock);
  host.resizeDocks(docks, m_widths, Qt::Horizontal);
  host.resizeDocks(docks, m_heights, Qt::Vertical);
}

DockMaximiser::DockMaximiser(QMainWindow& host, int version)
    : QObject(&host), m_host(host), m_version(version) {}

void DockMaximiser::add(PanelDock* dock) {
  m_docks.append(dock);
  dock->bar().offerMaximise();
  connect(&dock->bar(), &PanelTitle::maximiseRequested, this, [this, dock] { toggle(dock); });
}

void DockMaximiser::toggle(const QWidget* panel) {
  if (m_maximised) return restore();
  const auto found = std::find(m_docks.cbegin(), m_docks.cend(), panel);
  if (found == m_docks.cend() || !panel->isVisible()) return;
  PanelDock* dock = *found;
  m_before = m_host.saveState(m_version);
  m_maximised = dock;
  m_sizes.take(m_docks);
  dock->setFloating(false);
  m_hidden.clear();
  for (PanelDock* other : m_docks) {
    if (other == dock || other->isHidden()) continue;
    m_hidden.append(other);
    other->hide();
  }
  dock->show();
  dock->bar().setMaximised(true);
}

void DockMaximiser::restore() {
  if (!m_maximised) return;
  PanelDock* maximised = std::exchange(m_maximised, nullptr);
  maximised->bar().setMaximised(false);
  // Hidden docks keep their places, but not their sizes. Restoring a saved state instead would undo what was
  // floated meanwhile, which Qt does not survive.
  for (PanelDock* dock : m_hidden) dock->show();
  m_hidden.clear();
  m_sizes.giveBack(m_host);
  maximised->raise();  // of docks that share a place as tabs
}

QByteArray DockMaximiser::layout() const {
  return m_maximised ? m_before : m_host.saveState(m_version);
}

}  // namespace plastiscope
