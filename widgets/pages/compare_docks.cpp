#include "widgets/pages/compare_docks.h"

namespace plastiscope {

namespace {

// Rows of the default layout; docks after the first of a place share it as tabs.
const std::vector<std::vector<QStringList>> kCompareRows = {
    {{CompareDocks::kGrids, CompareDocks::kMaps, CompareDocks::kDifference, CompareDocks::kDrift}},
    {{"compareProfilesDock"}, {"compareQuintilesDock"}, {"compareDepthDock"}},
    {{"compareTrajectoryDock", "compareMetricDock"},
     {"compareVarianceDock", "compareClassesDock"},
     {CompareDocks::kNumbers}}};
constexpr int kCompareRowShare[] = {38, 31, 31};  // percent of the height

}  // namespace

CompareDocks::CompareDocks(EnteredPanel& entered) : m_entered(entered), m_maximiser(*this, kLayoutVersion) {
  setDockNestingEnabled(true);
  setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
  connect(&entered, &EnteredPanel::entered, this, [this](const QWidget* panel) { enter(*panel); });
}

PanelDock* CompareDocks::add(const QString& id, const QString& title, QWidget* content,
                             const DockFigure& figure) {
  auto* dock = new PanelDock(id, title, content, this);
  m_entered.watch(dock);
  connect(dock, &QDockWidget::dockLocationChanged, this, &CompareDocks::layoutChanged);
  connect(dock, &QDockWidget::visibilityChanged, this, &CompareDocks::layoutChanged);
  dock->bar().offerExport(!figure.name.isEmpty());
  connect(&dock->bar(), &PanelTitle::exportRequested, this, [this, dock] {
    m_entered.enter(dock);
    Q_EMIT exportRequested();
  });
  m_maximiser.add(dock);
  m_docks[id] = {dock, figure};
  return dock;
}

void CompareDocks::arrange() {
  const auto dockOf = [this](const QString& id) { return m_docks.at(id).dock; };
  // Ends a drag before anything is taken out.
  for (const auto& [id, entry] : m_docks) entry.dock->setFloating(false);
  for (const auto& [id, entry] : m_docks) removeDockWidget(entry.dock);
  QDockWidget* above = nullptr;
  for (const auto& row : kCompareRows) {  // the first dock of every row, from top to bottom
    QDockWidget* first = dockOf(row.front().front());
    above ? splitDockWidget(above, first, Qt::Vertical) : addDockWidget(Qt::LeftDockWidgetArea, first);
    above = first;
  }
  for (const auto& row : kCompareRows) {
    QDockWidget* left = nullptr;
    for (const QStringList& place : row) {
      QDockWidget* first = dockOf(place.front());
      if (left) splitDockWidget(left, first, Qt::Horizontal);
      left = first;
    }
  }
  for (const auto& row : kCompareRows) {
    for (const QStringList& place : row) {
      for (qsizetype i = 1; i < place.size(); ++i) tabifyDockWidget(dockOf(place[i - 1]), dockOf(place[i]));
    }
  }
  for (const auto& [id, entry] : m_docks) entry.dock->show();
  for (const auto& row : kCompareRows) {
    for (const QStringList& place : row) dockOf(place.front())->raise();
  }
}

void CompareDocks::sizeDocks() {
  QList<QDockWidget*> firsts;
  QList<int> heights;
  for (std::size_t r = 0; r < kCompareRows.size(); ++r) {
    firsts.append(m_docks.at(kCompareRows[r].front().front()).dock);
    heights.append(height() * kCompareRowShare[r] / 100);
    QList<QDockWidget*> row;
    for (const QStringList& place : kCompareRows[r]) row.append(m_docks.at(place.front()).dock);
    const int share = width() / static_cast<int>(row.size());
    resizeDocks(row, QList<int>(row.size(), share), Qt::Horizontal);
  }
  resizeDocks(firsts, heights, Qt::Vertical);
}

void CompareDocks::shareRoom() {
  if (std::exchange(m_sized, true)) return;
  if (!restoreState(m_wanted, kLayoutVersion)) sizeDocks();
}

void CompareDocks::resetLayout() {
  m_maximiser.restore();
  arrange();
  sizeDocks();
}

void CompareDocks::restoreLayout(const QByteArray& state) {
  m_wanted = state;
  if (m_sized) restoreState(state, kLayoutVersion);
}

QList<QAction*> CompareDocks::panelActions() const {
  QList<QAction*> actions;
  for (const auto& row : kCompareRows) {
    for (const QStringList& place : row) {
      for (const QString& id : place) actions.append(m_docks.at(id).dock->toggleViewAction());
    }
  }
  return actions;
}

void CompareDocks::enter(const QWidget& panel) {
  const auto found = m_docks.find(panel.objectName());
  if (found != m_docks.end() && !found->second.figure.name.isEmpty()) m_current = found->second.figure;
}

QPixmap CompareDocks::currentPicture() {
  for (const auto& [id, entry] : m_docks) {
    if (entry.figure == m_current) return entry.dock->widget()->grab();
  }
  return grab();
}

}  // namespace plastiscope
