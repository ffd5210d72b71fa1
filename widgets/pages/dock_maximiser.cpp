#include "widgets/pages/dock_maximiser.h"

#include "widgets/pages/panel_dock.h"

namespace plastiscope {

DockMaximiser::DockMaximiser(QMainWindow& host, int version)
    : QObject(&host), m_host(host), m_version(version) {}

void DockMaximiser::add(PanelDock* dock) {
  m_docks.append(dock);
  dock->bar().offerMaximise();
  connect(&dock->bar(), &PanelTitle::maximiseRequested, this, [this, dock] { toggle(dock); });
}

void DockMaximiser::toggle(PanelDock* dock) {
  const bool undo = m_maximised == dock;
  restore();
  if (undo || !dock) return;
  m_before = m_host.saveState(m_version);
  m_maximised = dock;
  dock->setFloating(false);
  for (PanelDock* other : m_docks) other->setVisible(other == dock);
  dock->bar().setMaximised(true);
}

void DockMaximiser::restore() {
  if (!m_maximised) return;
  m_maximised->bar().setMaximised(false);
  m_maximised = nullptr;
  m_host.restoreState(m_before, m_version);
}

QByteArray DockMaximiser::layout() const {
  return m_maximised ? m_before : m_host.saveState(m_version);
}

}  // namespace plastiscope
