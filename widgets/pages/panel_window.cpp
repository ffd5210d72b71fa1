#include "widgets/pages/panel_window.h"

#include <QAction>
#include <QApplication>
#include <QChildEvent>
#include <QEvent>
#include <QTabBar>
#include <QTimer>
#include <algorithm>
#include <utility>

namespace plastiscope {

ActivePanel::ActivePanel() {
  connect(qApp, &QApplication::focusChanged, this, [this](const QWidget* old, const QWidget* now) {
    // If the old widget is hidden, the focus was moved by Qt, not by the user.
    if (old && old->isVisible() && now) followKeyboard(*now);
  });
}

void ActivePanel::watch(QWidget* panel) {
  m_watched.append(panel);
  panel->installEventFilter(this);
}

void ActivePanel::enter(QWidget* panel) {
  m_panel = panel;
  Q_EMIT entered(panel);
}

bool ActivePanel::eventFilter(QObject* object, QEvent* event) {
  if (event->type() == QEvent::Enter) enter(static_cast<QWidget*>(object));
  return QObject::eventFilter(object, event);
}

// Follows the focus into a panel, which receives no event for it.
void ActivePanel::followKeyboard(const QWidget& now) {
  for (const QPointer<QWidget>& panel : m_watched) {
    if (panel && (panel == &now || panel->isAncestorOf(&now))) return enter(panel);
  }
}

PanelWindow::PanelWindow(PanelLayout layout, const PanelFigure& first, QWidget* parent)
    : QMainWindow(parent, Qt::Widget), m_layout(std::move(layout)), m_figure(first) {
  setDockNestingEnabled(true);
  setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
  connect(&m_active, &ActivePanel::entered, this, &PanelWindow::enter);
}

PanelWindow::~PanelWindow() {
  deletePanels();
}

void PanelWindow::deletePanels() {
  m_active.disconnect(this);
  m_places.clear();
  for (PanelDock* dock : std::exchange(m_docks, {})) {
    dock->disconnect(this);
    delete dock;
  }
}

PanelDock* PanelWindow::addPanel(PanelDock* dock, int place, const PanelFigure& figure) {
  m_docks.append(dock);
  m_places[place].append(dock);
  setFigure(dock->objectName(), figure);
  dock->bar().offerExport(!figure.name.isEmpty());
  if (!dock->isStrip()) dock->bar().offerMaximise();
  connect(dock, &QDockWidget::dockLocationChanged, this, &PanelWindow::layoutChanged);
  connect(dock, &QDockWidget::topLevelChanged, this, &PanelWindow::layoutChanged);
  connect(dock, &QDockWidget::visibilityChanged, this, &PanelWindow::layoutChanged);
  // A page whose only panel is floating would be empty.
  connect(
      dock, &QDockWidget::topLevelChanged, this,
      [this, dock](bool floating) {
        if (floating && dock == m_maximised) restoreOthers();
      },
      Qt::QueuedConnection);
  connect(&dock->bar(), &PanelTitle::exportRequested, this, [this, dock] {
    m_active.enter(dock);
    Q_EMIT exportRequested();
  });
  connect(&dock->bar(), &PanelTitle::dragRequested, this, [this, dock] {
    m_active.enter(dock);
    Q_EMIT dragRequested();
  });
  connect(&dock->bar(), &PanelTitle::maximiseRequested, this, [this, dock] { toggleMaximised(dock); });
  m_active.watch(dock);
  dock->installEventFilter(this);
  return dock;
}

PanelTitle& PanelWindow::bar(const QString& id) const {
  const auto dock =
      std::ranges::find_if(m_docks, [&id](const PanelDock* each) { return each->objectName() == id; });
  return (*dock)->bar();
}

PanelDock* PanelWindow::firstAt(int place) const {
  const auto docks = m_places.find(place);
  return docks == m_places.end() ? nullptr : docks->second.front();
}

// One area, split: without a central widget the docks fill the page.
void PanelWindow::arrange() {
  forgetSeparator(*this);
  // Ends drags before docks are moved.
  for (PanelDock* dock : m_docks) dock->setFloating(false);
  for (PanelDock* dock : m_docks) removeDockWidget(dock);
  addDockWidget(Qt::LeftDockWidgetArea, firstAt(m_layout.splits.front().from));
  for (const auto& [from, to, direction] : m_layout.splits) {
    if (firstAt(from) && firstAt(to)) splitDockWidget(firstAt(from), firstAt(to), direction);
  }
  for (const auto& [place, docks] : m_places) {
    for (qsizetype i = 1; i < docks.size(); ++i) tabifyDockWidget(docks[i - 1], docks[i]);
  }
  for (PanelDock* dock : m_docks) dock->show();
  for (const auto& [place, docks] : m_places) docks.front()->raise();
}

void PanelWindow::sizeDocks() {
  for (const auto& [direction, places] : m_layout.shares) {
    const int all = direction == Qt::Horizontal ? width() : height();
    QList<QDockWidget*> docks;
    QList<int> sizes;
    for (const auto& [place, percent] : places) {
      if (firstAt(place) == nullptr) continue;
      docks.append(firstAt(place));
      sizes.append(all * percent / 100);
    }
    resizeDocks(docks, sizes, direction);
  }
}

void PanelWindow::childEvent(QChildEvent* event) {
  QMainWindow::childEvent(event);
  auto* bar = event->polished() ? qobject_cast<QTabBar*>(event->child()) : nullptr;
  if (bar == nullptr) return;
  bar->installEventFilter(this);
  bar->setProperty("narrow", true);
  bar->setElideMode(Qt::ElideNone);  // scrolls instead
  bar->setUsesScrollButtons(true);
}

// Qt's tab bars remain for a while when all docks of a page are hidden or float. Moving one of their tabs
// then crashes in QMainWindowLayout::tabMoved, so this filter prevents it.
bool PanelWindow::eventFilter(QObject* object, QEvent* event) {
  const auto* bar = event->type() == QEvent::MouseMove ? qobject_cast<QTabBar*>(object) : nullptr;
  const auto isBehind = [bar](const PanelDock* dock) {
    for (int i = 0; i < bar->count(); ++i)
      if (bar->tabText(i) == dock->windowTitle()) return !dock->isHidden() && !dock->isFloating();
    return false;
  };
  if (bar && std::ranges::none_of(m_docks, isBehind)) return true;
  if (auto* dock = qobject_cast<PanelDock*>(object); dock && event->type() == QEvent::Resize) {
    m_crushed = m_crushed || isCrushed();
    if (m_laidOut && !m_crushed && !m_maximised)
      m_shares[dock] = {1.0 * dock->width() / width(), 1.0 * (dock->height() + tabsAbove(dock)) / height()};
  }
  return QMainWindow::eventFilter(object, event);
}

// A layout has sizes in pixels: it fits only once the page has its size.
void PanelWindow::showEvent(QShowEvent* event) {
  QMainWindow::showEvent(event);
  if (!m_laidOut) QTimer::singleShot(0, this, &PanelWindow::layOut);
}

bool PanelWindow::isCrushed() const {
  const QSize least = minimumSizeHint();
  return width() < least.width() || height() < least.height();
}

void PanelWindow::resizeEvent(QResizeEvent* event) {
  QMainWindow::resizeEvent(event);
  if (m_laidOut && m_crushed && !isCrushed()) QTimer::singleShot(0, this, &PanelWindow::giveBack);
}

void PanelWindow::giveBack() {
  if (isCrushed() || m_maximised || !std::exchange(m_crushed, false)) return;
  if (m_shares.empty()) return sizeDocks();  // too small since it was created
  const auto shares = m_shares;              // copied, since they change with the sizes
  QList<QDockWidget*> docks;
  QList<int> widths, heights;
  for (const auto& [dock, share] : shares) {
    if (dock->isFloating() || dock->visibleRegion().isEmpty()) continue;
    docks.append(dock);
    widths.append(qRound(share.width() * width()));
    heights.append(qRound(share.height() * height()));
  }
  resizeDocks(docks, widths, Qt::Horizontal);
  resizeDocks(docks, heights, Qt::Vertical);
}

void PanelWindow::layOut() {
  if (std::exchange(m_laidOut, true)) return;
  if (!applyLayout(m_wanted)) sizeDocks();
}

void PanelWindow::restoreLayout(const QByteArray& state) {
  m_wanted = state;
  if (!m_laidOut) return;
  forgetSeparator(*this);
  applyLayout(state);
}

void PanelWindow::resetLayout() {
  restoreOthers();
  arrange();
  m_laidOut = true;
  sizeDocks();
  Q_EMIT layoutChanged();
}

QList<QAction*> PanelWindow::panelActions() const {
  QList<QAction*> actions;
  for (PanelDock* dock : m_docks) actions.append(dock->toggleViewAction());
  return actions;
}

const PanelFigure& PanelWindow::figureOf(const QString& view) const {
  static const PanelFigure kNone;
  const auto figure = m_figures.find(view);
  return figure == m_figures.end() ? kNone : figure->second;
}

void PanelWindow::enter(QWidget* panel) {
  const auto* dock = qobject_cast<const PanelDock*>(panel);
  const QString view = dock ? viewIn(*dock) : panel->objectName();
  if (const PanelFigure& figure = figureOf(view); !figure.name.isEmpty()) m_figure = figure;
  Q_EMIT viewEntered(view);
}

QPixmap PanelWindow::currentPicture() const {
  for (const PanelDock* dock : m_docks) {
    if (figureOf(viewIn(*dock)) == m_figure) return pictureIn(*dock)->grab();
  }
  return m_docks.front()->widget()->grab();
}

// Height of a shared place: the current dock plus the tab bar.
int PanelWindow::tabsAbove(PanelDock* dock) const {
  if (tabifiedDockWidgets(dock).isEmpty()) return 0;
  const auto* bar = findChild<QTabBar*>(QString(), Qt::FindDirectChildrenOnly);
  return bar == nullptr ? 0 : bar->height();
}

void PanelWindow::toggleMaximised(const QWidget* panel) {
  if (m_maximised) return restoreOthers();
  const auto found = std::ranges::find(m_docks, panel);
  if (found == m_docks.end() || !panel->isVisible() || (*found)->isStrip()) return;
  PanelDock* dock = *found;
  m_before = saveState(m_layout.version);
  m_maximised = dock;
  m_sizes.clear();
  for (PanelDock* each : m_docks) {
    if (!each->isFloating() && !each->visibleRegion().isEmpty() && !each->isStrip())
      m_sizes.push_back({each, each->width(), each->height() + tabsAbove(each)});
  }
  forgetSeparator(*this);
  dock->setFloating(false);
  m_hidden.clear();
  for (PanelDock* other : m_docks) {
    if (other == dock || other->isHidden()) continue;
    m_hidden.append(other);
    other->hide();
  }
  dock->show();
  dock->bar().setMaximised(true);
  Q_EMIT maximisedChanged();
}

void PanelWindow::restoreOthers() {
  if (!m_maximised) return;
  PanelDock* maximised = std::exchange(m_maximised, nullptr);
  maximised->bar().setMaximised(false);
  // Hidden docks keep their places, but not their sizes. Restoring a saved state instead would undo floating
  // done meanwhile, which crashes Qt.
  for (PanelDock* dock : m_hidden) dock->show();
  m_hidden.clear();
  QList<QDockWidget*> docks;
  QList<int> widths, heights;
  for (const Size& size : m_sizes) {
    if (size.dock == nullptr || size.dock->isFloating() || !size.dock->isVisible()) continue;
    size.dock->raise();  // restores the current dock of each place
    docks.append(size.dock);
    widths.append(size.width);
    heights.append(size.height);
  }
  resizeDocks(docks, widths, Qt::Horizontal);
  resizeDocks(docks, heights, Qt::Vertical);
  maximised->raise();
  Q_EMIT maximisedChanged();
}

QByteArray PanelWindow::dockState() const {
  return m_maximised ? m_before : saveState(m_layout.version);
}

}  // namespace plastiscope

#include "moc_panel_window.cpp"
