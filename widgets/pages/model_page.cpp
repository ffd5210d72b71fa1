#include "widgets/pages/model_page.h"

#include <QDataStream>
#include <QIODevice>
#include <QTimer>
#include <utility>

#include "widgets/pages/details_tabs.h"
#include "widgets/pages/panel_dock.h"
#include "widgets/plots/head_grid_view.h"

namespace plastiscope {
namespace {

constexpr int kLayoutVersion = 2;
// Shares of the default layout: columns left, middle, right; rows above and below, per column.
constexpr int kColumnShare[] = {32, 34, 34};
constexpr int kRowShare[][2] = {{54, 46}, {50, 50}, {50, 50}};

// Where the docks stand, and the page of the details that is in front.
QByteArray packed(const QByteArray& docks, const QString& details) {
  QByteArray bytes;
  QDataStream stream(&bytes, QIODevice::WriteOnly);
  stream << docks << details;
  return bytes;
}

std::pair<QByteArray, QString> unpacked(const QByteArray& bytes) {
  std::pair<QByteArray, QString> layout;
  QDataStream stream(bytes);
  stream >> layout.first >> layout.second;
  return layout;
}

}  // namespace

ModelPage::ModelPage(std::shared_ptr<const Study> study, std::filesystem::path file,
                     const ViewSelection& start, const ViewCatalogue& views, const PageServices& services,
                     const NotesOrigin& notes, QWidget* parent)
    : QMainWindow(parent, Qt::Widget),
      m_file(std::move(file)),
      m_notes(m_file, services.settingsFolder, notes),
      m_model(std::move(study), m_selection, services),
      m_figure(QStringLiteral("head-grid")),
      m_maximiser(*this, kLayoutVersion) {
  setObjectName(QStringLiteral("modelPage"));
  setDockNestingEnabled(true);
  setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
  ViewSelection first = start;
  if (!m_notes.notes().empty()) first.marked = m_notes.notes().starred;
  m_selection.reset(first);
  m_model.setHeadNotes(m_notes.notes().heads);
  connect(&m_notes, &NotesDocument::changed, this, [this] { m_model.setHeadNotes(m_notes.notes().heads); });
  for (const ViewSpec& view : views) {
    m_figureOf[view.id] = view.figure;
    if (view.area == ViewArea::Details) continue;
    m_areas[view.area].append(addPanel(view.id, view.title, view.make(m_model, this)));
    PanelDock* dock = m_areas[view.area].back();
    dock->bar().offerExport(!view.figure.isEmpty());
    view.area == ViewArea::Strip ? dock->showAsStrip() : m_maximiser.add(dock);
  }
  m_details = new DetailsTabs(views, m_model, this);
  m_areas[ViewArea::Details].append(addPanel(QStringLiteral("detailsDock"), tr("Details"), m_details));
  PanelDock* details = m_areas[ViewArea::Details].back();
  m_maximiser.add(details);
  const auto offer = [this, details](const QString& id) {
    details->bar().offerExport(!figureOf(id).isEmpty());
  };
  connect(m_details, &DetailsTabs::pageChanged, details, offer);
  offer(m_details->currentId());
  arrange();
  m_model.begin();
  connect(&m_selection, &Selection::changed, this, &ModelPage::follow);
  connect(&m_entered, &EnteredPanel::entered, this, [this](const QWidget* dock) { enter(*dock); });
}

ModelPage::~ModelPage() {
  m_entered.disconnect(this);
  // The panels use the selection and the model: they go first.
  for (PanelDock* dock : m_docks) {
    dock->disconnect(this);
    delete dock;
  }
}

PanelDock* ModelPage::addPanel(const QString& id, const QString& title, ViewPanel* panel) {
  auto* dock = new PanelDock(id, title, panel, this);
  for (QWidget* option : panel->options()) dock->bar().addOption(option);
  connect(panel, &ViewPanel::titleChanged, dock, [dock](const QString& text) {
    dock->bar().setTitle(text);
    dock->setWindowTitle(text);
  });
  connect(panel, &ViewPanel::noteChanged, dock, [dock](const QString& text) { dock->bar().setNote(text); });
  for (const auto changed : {&QDockWidget::topLevelChanged, &QDockWidget::visibilityChanged}) {
    connect(dock, changed, this, &ModelPage::layoutChanged);
  }
  connect(&dock->bar(), &PanelTitle::exportRequested, this, [this, dock] {
    m_entered.enter(dock);
    Q_EMIT exportRequested();
  });
  m_entered.watch(dock);
  m_docks.append(dock);
  return dock;
}

PanelDock* ModelPage::firstOf(ViewArea area) const {
  const auto docks = m_areas.find(area);
  return docks == m_areas.end() || docks->second.isEmpty() ? nullptr : docks->second.front();
}

// One area, split: without a central widget the docks fill the page.
void ModelPage::arrange() {
  // Ends a drag before anything is taken out.
  for (PanelDock* dock : m_docks) dock->setFloating(false);
  for (PanelDock* dock : m_docks) removeDockWidget(dock);
  PanelDock* top[] = {firstOf(ViewArea::LeftTop), firstOf(ViewArea::MiddleTop), firstOf(ViewArea::RightTop)};
  PanelDock* bottom[] = {firstOf(ViewArea::LeftBottom), firstOf(ViewArea::MiddleBottom),
                         firstOf(ViewArea::Details)};
  PanelDock *left = nullptr, *strip = firstOf(ViewArea::Strip);
  for (PanelDock* dock : top) {
    if (!dock) continue;
    if (left)
      splitDockWidget(left, dock, Qt::Horizontal);
    else
      addDockWidget(Qt::LeftDockWidgetArea, dock);
    // What is put beside the middle column from here on shares the place above the strip.
    if (dock == top[1] && strip) splitDockWidget(dock, strip, Qt::Vertical);
    left = dock;
  }
  for (int column = 0; column < 3; ++column) {
    if (top[column] && bottom[column]) splitDockWidget(top[column], bottom[column], Qt::Vertical);
  }
  for (const auto& [area, docks] : m_areas) {
    for (qsizetype i = 1; i < docks.size(); ++i) tabifyDockWidget(docks[i - 1], docks[i]);
    if (!docks.isEmpty()) docks.front()->raise();
  }
  for (PanelDock* dock : m_docks) dock->show();
}

void ModelPage::sizeDocks() {
  const auto dock = [this](ViewArea area) { return m_areas.at(area).front(); };
  const QList<QDockWidget*> columns = {dock(ViewArea::LeftTop), dock(ViewArea::MiddleTop),
                                       dock(ViewArea::RightTop)};
  resizeDocks(
      columns,
      {width() * kColumnShare[0] / 100, width() * kColumnShare[1] / 100, width() * kColumnShare[2] / 100},
      Qt::Horizontal);
  const std::pair<ViewArea, ViewArea> rows[] = {{ViewArea::LeftTop, ViewArea::LeftBottom},
                                                {ViewArea::MiddleTop, ViewArea::MiddleBottom},
                                                {ViewArea::RightTop, ViewArea::Details}};
  for (int i = 0; i < 3; ++i) {
    resizeDocks({dock(rows[i].first), dock(rows[i].second)},
                {height() * kRowShare[i][0] / 100, height() * kRowShare[i][1] / 100}, Qt::Vertical);
  }
}

// A layout is sizes in pixels: it fits only once the page has its own.
void ModelPage::showEvent(QShowEvent* event) {
  QMainWindow::showEvent(event);
  if (!m_laidOut) QTimer::singleShot(0, this, &ModelPage::layOut);
}

void ModelPage::layOut() {
  if (std::exchange(m_laidOut, true)) return;
  if (!takeLayout(m_wanted)) sizeDocks();
}

bool ModelPage::takeLayout(const QByteArray& packed) {
  const auto [docks, details] = unpacked(packed);
  if (!restoreState(docks, kLayoutVersion)) return false;
  m_details->showPage(details);
  return true;
}

QString ModelPage::figureOf(const QString& id) const {
  const auto figure = m_figureOf.find(id);
  return figure == m_figureOf.end() ? QString() : figure->second;
}

void ModelPage::enter(const QWidget& dock) {
  const bool details = dock.objectName() == QLatin1String("detailsDock");
  const QString view = details ? m_details->currentId() : dock.objectName();
  if (const QString figure = figureOf(view); !figure.isEmpty()) m_figure = figure;
  Q_EMIT viewEntered(view);
}

void ModelPage::focusGrid() {
  if (auto* grid = findChild<HeadGridView*>()) grid->setFocus(Qt::OtherFocusReason);
}

QList<QAction*> ModelPage::panelActions() const {
  QList<QAction*> actions;
  for (PanelDock* dock : m_docks) actions.append(dock->toggleViewAction());
  return actions;
}

void ModelPage::showView(const QString& id) {
  m_details->showPage(id);
  for (PanelDock* dock : m_docks) {
    if (dock->objectName() != id &&
        !(dock->objectName() == QLatin1String("detailsDock") && m_details->currentId() == id))
      continue;
    dock->show();
    dock->raise();
  }
}

void ModelPage::showOnlyHeadViews() {
  for (const ViewArea area : {ViewArea::LeftTop, ViewArea::LeftBottom}) {
    for (PanelDock* dock : m_areas[area]) dock->hide();
  }
}

// What a person has just chosen is brought to the front.
void ModelPage::follow(const ViewSelection& now, const ViewSelection& before) {
  if (now.marked != before.marked) {
    // Stars of heads that this analysis does not have stay as they are.
    std::set<HeadName> starred = m_notes.notes().starred;
    for (const HeadName& head : before.marked) starred.erase(head);
    starred.insert(now.marked.begin(), now.marked.end());
    m_notes.setStarred(starred);
  }
  const bool inCloud = m_details->currentId() == QStringLiteral("cloud");  // who looks there goes on looking
  const bool chosen =
      (now.rows && now.rows != before.rows && !inCloud) || (now.cell && now.cell != before.cell);
  if (chosen && before.head) m_details->showPage(QStringLiteral("rows"));
}

QPixmap ModelPage::currentPicture() const {
  for (PanelDock* dock : m_docks) {
    const bool details = dock->widget()->isAncestorOf(m_details);
    const QString id = details ? m_details->currentId() : dock->objectName();
    const auto figure = m_figureOf.find(id);
    if (figure != m_figureOf.end() && figure->second == m_figure)
      return (details ? m_details->currentPanel() : dock->widget())->grab();
  }
  return m_docks.front()->widget()->grab();
}

QByteArray ModelPage::layoutState() const {
  return m_laidOut ? packed(m_maximiser.layout(), m_details->currentId()) : m_wanted;
}

void ModelPage::restoreLayout(const QByteArray& state) {
  m_wanted = state;
  if (m_laidOut) takeLayout(state);
}

void ModelPage::resetLayout() {
  m_maximiser.restore();
  arrange();
  m_laidOut = true;
  sizeDocks();
  Q_EMIT layoutChanged();
}

}  // namespace plastiscope
