#include "widgets/pages/dock_maximiser.h"

#include <algorithm>
#include <utility>

#include "widgets/pages/panel_dock.h"

namespace plastiscope {

DockMaximiser::DockMaximiser(QMainWindow& host, int version)
    : QObject(&host), m_host(host), m_version(version) {}

void DockMaximiser::add(PanelDock* dock) {
  m_docks.append(dock);
  dock->bar().offerMaximise();
  connect(&dock->bar(), &PanelTitle::maximiseRequested, this, [this, dock] { toggle(dock); });
  connect(dock, &QDockWidget::topLevelChanged, this, [this] { m_floated = true; });
}

void DockMaximiser::toggle(const QWidget* panel) {
  if (m_maximised) return restore();
  const auto found = std::find(m_docks.cbegin(), m_docks.cend(), panel);
  if (found == m_docks.cend() || !panel->isVisible()) return;
  PanelDock* dock = *found;
  m_before = m_host.saveState(m_version);
  m_maximised = dock;
  m_floated = dock->isFloating();
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
  // Hidden docks keep their places, but not their sizes. Those come with the saved state, which would also
  // undo what was floated meanwhile, and that Qt does not survive.
  for (PanelDock* dock : m_hidden) dock->show();
  m_hidden.clear();
  if (!m_floated) m_host.restoreState(m_before, m_version);
  maximised->raise();  // of docks that share a place as tabs
}

QByteArray DockMaximiser::layout() const {
  return m_maximised ? m_before : m_host.saveState(m_version);
}

}  // namespace plastiscope
