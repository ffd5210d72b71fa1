#include "widgets/pages/compare_page.h"

#include <QComboBox>
#include <QDragEnterEvent>
#include <QHeaderView>
#include <QLabel>
#include <QMimeData>
#include <QPushButton>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QTableView>
#include <QTimer>
#include <QUrl>
#include <QVBoxLayout>

#include "widgets/compare/compare_bar.h"
#include "widgets/compare/compare_difference.h"
#include "widgets/compare/compare_grids.h"
#include "widgets/compare/compare_maps.h"
#include "widgets/compare/compare_numbers.h"
#include "widgets/compare/drift_panel.h"
#include "widgets/pages/compare_panels.h"
#include "widgets/pages/message_bar.h"
#include "widgets/pages/panel_dock.h"
#include "widgets/state/dropped_files.h"
#include "widgets/state/icons.h"

namespace fs = std::filesystem;

namespace plastiscope {

namespace {

constexpr const char* kGrids = "compareGridsDock";
constexpr const char* kMaps = "compareMapsDock";
constexpr const char* kDifference = "compareDifferenceDock";
constexpr const char* kDrift = "compareDriftDock";
constexpr const char* kNumbers = "compareNumbersDock";
// Rows of the default layout; docks after the first of a place share it as tabs.
const std::vector<std::vector<QStringList>> kRows = {
    {{kGrids, kMaps, kDifference, kDrift}},
    {{"compareProfilesDock"}, {"compareQuintilesDock"}, {"compareDepthDock"}},
    {{"compareTrajectoryDock", "compareMetricDock"},
     {"compareVarianceDock", "compareClassesDock"},
     {kNumbers}}};
constexpr int kLeastColumn = 112, kLayoutVersion = 1;
constexpr int kRowShare[] = {38, 31, 31};

QString sentence(const std::string& warning) {
  QString text = QString::fromStdString(warning);
  text.remove(QStringLiteral(" (table settings_differences)"));
  if (!text.isEmpty()) text[0] = text[0].toUpper();
  return text.endsWith('.') ? text : text + '.';
}

QString tail(const std::string& name) {
  return QString::fromStdString(name).section(QLatin1Char('/'), -1);
}

}  // namespace

struct ComparePage::Private {
  QMainWindow* docks = nullptr;
  QStackedWidget* stack = nullptr;
  QLabel *hintTitle = nullptr, *hintText = nullptr;
  MessageBar* warnings = nullptr;
  QString warned;  // the text shown last: a dismissed warning does not come back
  std::map<QString, PanelDock*> dock;
  std::map<QString, FigureView*> figure;
  std::map<QString, std::pair<QString, bool>> figureOf;
  DriftPanel* drift = nullptr;
  CompareNumbers* numbers = nullptr;
  QTableView* table = nullptr;
  bool sized = false;
};

ComparePage::ComparePage(const SessionTab& start, Workers& workers, JobList& jobs, QWidget* parent)
    : QWidget(parent),
      m_model(m_selection, workers, jobs),
      m_figure(QStringLiteral("compare")),
      d(std::make_unique<Private>()) {
  setObjectName(QStringLiteral("comparePage"));
  setAcceptDrops(true);
  m_selection.reset(start.selection);
  m_model.setChoices(start.compare);
  auto* bar = new CompareBar(m_model, this);
  d->warnings = new MessageBar(this);
  d->stack = new QStackedWidget(this);
  auto* hint = new QWidget(d->stack);
  auto* frame = new QFrame(hint);
  frame->setObjectName(QStringLiteral("dropHint"));
  frame->setFixedWidth(500);
  d->hintTitle = new QLabel(frame);
  d->hintTitle->setProperty("strong", true);
  d->hintText = new QLabel(frame);
  d->hintText->setObjectName(QStringLiteral("compareHint"));
  d->hintText->setProperty("muted", true);
  d->hintText->setWordWrap(true);
  d->hintText->setTextInteractionFlags(Qt::TextSelectableByMouse);
  auto* words = new QVBoxLayout(frame);
  words->setContentsMargins(28, 24, 28, 24);
  words->setSpacing(8);
  for (QLabel* label : {d->hintTitle, d->hintText}) {
    label->setAlignment(Qt::AlignCenter);
    words->addWidget(label);
  }
  auto* centre = new QVBoxLayout(hint);
  centre->addStretch(1);
  auto* across = new QHBoxLayout;  // stretches, not an alignment: the words keep the height that they need
  across->addStretch(1);
  across->addWidget(frame);
  across->addStretch(1);
  centre->addLayout(across);
  centre->addStretch(2);
  d->stack->addWidget(hint);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(bar);
  column->addWidget(d->warnings);
  column->addWidget(d->stack, 1);
  buildDocks(workers, jobs);
  connect(bar, &CompareBar::addRequested, this, &ComparePage::addRequested);
  connect(&m_model, &CompareModel::inputsChanged, this, &ComparePage::follow);
  connect(&m_model, &CompareModel::viewsReady, this,
          [this](const std::shared_ptr<const CompareViews>& views) { take(*views); });
  connect(&m_model, &CompareModel::failed, this, [this](const QString& sentence) {
    d->hintTitle->setText(tr("These cannot be compared"));
    d->hintText->setText(sentence);
    d->stack->setCurrentIndex(0);
  });
  add(start.compared);
  follow();
}

ComparePage::~ComparePage() {
  delete d->docks;  // the panels use the selection and the model: they go first
}

void ComparePage::buildDocks(Workers& workers, JobList& jobs) {
  d->docks = new QMainWindow;  // the stack makes it a child: born as one it would stay a window
  d->docks->setDockNestingEnabled(true);
  d->docks->setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
  d->stack->addWidget(d->docks);
  addDock(kGrids, tr("Heads"), new CompareGrids(m_model), QStringLiteral("compare"), true);
  addDock(kMaps, tr("Maps"), new CompareMaps(m_model), QString(), false);
  for (const ComparePanel& panel : comparePanels()) {
    auto* view = new FigureView;
    view->setObjectName(panel.id + "View");
    d->figure[panel.id] = view;
    addDock(panel.id, panel.title, view, panel.figure, panel.showsMetric);
  }
  auto* difference = new CompareDifference(m_model);
  PanelDock* dock = addDock(kDifference, tr("Difference"), difference, QStringLiteral("compare"), true);
  dock->bar().addOption(difference->what());
  dock->bar().addOption(difference->against());
  connect(difference, &CompareDifference::titleChanged, this,
          [dock](const QString& title) { dock->bar().setTitle(title); });
  d->drift = new DriftPanel(m_model, workers, jobs);
  PanelDock* driftDock = addDock(kDrift, tr("Drift"), d->drift, QString(), false);
  driftDock->bar().addOption(d->drift->kind());
  driftDock->bar().addOption(d->drift->measure());
  connect(d->drift, &DriftPanel::noteChanged, this,
          [driftDock](const QString& note) { driftDock->bar().setNote(note); });
  d->numbers = new CompareNumbers(this);
  d->table = new QTableView;
  d->table->setObjectName(QStringLiteral("compareNumbers"));
  d->table->setModel(d->numbers);
  d->table->setAlternatingRowColors(true);
  d->table->setShowGrid(false);
  d->table->setSelectionMode(QAbstractItemView::NoSelection);
  d->table->setFocusPolicy(Qt::TabFocus);
  d->table->verticalHeader()->hide();
  d->table->verticalHeader()->setDefaultSectionSize(22);
  d->table->horizontalHeader()->setTextElideMode(Qt::ElideMiddle);
  addDock(kNumbers, tr("Numbers"), d->table, QString(), false);
  arrange();
}

PanelDock* ComparePage::addDock(const QString& id, const QString& title, QWidget* content,
                                const QString& figure, bool showsMetric) {
  auto* dock = new PanelDock(id, title, content, d->docks);
  dock->installEventFilter(this);
  connect(dock, &QDockWidget::dockLocationChanged, this, &ComparePage::layoutChanged);
  connect(dock, &QDockWidget::visibilityChanged, this, &ComparePage::layoutChanged);
  d->dock[id] = dock;
  d->figureOf[id] = {figure, showsMetric};
  return dock;
}

void ComparePage::arrange() {
  for (const auto& [id, dock] : d->dock) {
    dock->setFloating(false);
    d->docks->removeDockWidget(dock);
  }
  QDockWidget* above = nullptr;
  for (const auto& row : kRows) {  // the first dock of every row, from top to bottom
    QDockWidget* first = d->dock.at(row.front().front());
    above ? d->docks->splitDockWidget(above, first, Qt::Vertical)
          : d->docks->addDockWidget(Qt::LeftDockWidgetArea, first);
    above = first;
  }
  for (const auto& row : kRows) {
    QDockWidget* left = nullptr;
    for (const QStringList& place : row) {
      QDockWidget* first = d->dock.at(place.front());
      if (left) d->docks->splitDockWidget(left, first, Qt::Horizontal);
      left = first;
    }
  }
  for (const auto& row : kRows) {
    for (const QStringList& place : row) {
      for (qsizetype i = 1; i < place.size(); ++i)
        d->docks->tabifyDockWidget(d->dock.at(place[i - 1]), d->dock.at(place[i]));
    }
  }
  for (const auto& [id, dock] : d->dock) dock->show();
  for (const auto& row : kRows) {
    for (const QStringList& place : row) d->dock.at(place.front())->raise();
  }
}

void ComparePage::sizeDocks() {
  QList<QDockWidget*> firsts;
  QList<int> heights;
  for (std::size_t r = 0; r < kRows.size(); ++r) {
    firsts.append(d->dock.at(kRows[r].front().front()));
    heights.append(d->docks->height() * kRowShare[r] / 100);
    QList<QDockWidget*> row;
    for (const QStringList& place : kRows[r]) row.append(d->dock.at(place.front()));
    const int width = d->docks->width() / static_cast<int>(row.size());
    d->docks->resizeDocks(row, QList<int>(row.size(), width), Qt::Horizontal);
  }
  d->docks->resizeDocks(firsts, heights, Qt::Vertical);
}

void ComparePage::resetLayout() {
  arrange();
  sizeDocks();
}

QByteArray ComparePage::layoutState() const {
  return d->docks->saveState(kLayoutVersion);
}

void ComparePage::restoreLayout(const QByteArray& state) {
  d->sized = d->docks->restoreState(state, kLayoutVersion) || d->sized;
}

bool ComparePage::eventFilter(QObject* object, QEvent* event) {
  if (event->type() == QEvent::Enter || event->type() == QEvent::FocusIn) {
    const auto found = d->figureOf.find(object->objectName());
    if (found != d->figureOf.end() && !found->second.first.isEmpty())
      std::tie(m_figure, m_figureShowsMetric) = found->second;
  }
  return QWidget::eventFilter(object, event);
}

QPixmap ComparePage::currentPicture() const {
  for (const auto& [id, figure] : d->figureOf) {
    if (figure.first == m_figure && figure.second == m_figureShowsMetric)
      return d->dock.at(id)->widget()->grab();
  }
  return d->docks->grab();
}

QList<QAction*> ComparePage::panelActions() const {
  QList<QAction*> actions;
  for (const auto& row : kRows) {
    for (const QStringList& place : row) {
      for (const QString& id : place) actions.append(d->dock.at(id)->toggleViewAction());
    }
  }
  return actions;
}

SessionTab ComparePage::sessionTab() const {
  return {{}, m_selection.value(), m_model.files(), m_model.choices()};
}

QString ComparePage::title() const {
  QStringList names;
  for (const auto& input : m_model.inputs()) names.append(tail(input.name));
  if (names.isEmpty()) return tr("Compare");
  return tr("Compare: %1")
      .arg(names.size() > 2 ? tr("%1 and %2 more").arg(names.front()).arg(names.size() - 1)
                            : names.join(QStringLiteral(", ")));
}

void ComparePage::add(const std::vector<fs::path>& files) {
  for (const fs::path& file : files) {
    std::error_code failed;
    const fs::path absolute = fs::absolute(file, failed);
    const fs::path normal = (failed ? file : absolute).lexically_normal();
    const auto known = m_model.files();
    if (std::find(known.begin(), known.end(), normal) != known.end()) continue;
    if (m_model.full()) {
      Q_EMIT complained(
          tr("A comparison holds up to %1 captures: take one out first.").arg(CompareModel::kMost));
      return;
    }
    m_model.add(normal);
  }
}

void ComparePage::follow() {
  Q_EMIT titleChanged(title());
  Q_EMIT changed();
  QStringList opening, problems;
  for (const auto& input : m_model.inputs()) {
    const QString name = QString::fromStdString(input.file.filename().string());
    if (input.state == CompareModel::InputState::Opening) opening.append(name);
    if (input.state == CompareModel::InputState::Failed) problems.append(input.sentence);
  }
  const bool enough = m_model.studies().size() >= CompareModel::kFewest;
  if (!enough || !opening.isEmpty()) d->stack->setCurrentIndex(m_model.views() ? 1 : 0);
  if (!opening.isEmpty()) {
    d->hintTitle->setText(tr("Opening %1").arg(opening.join(QStringLiteral(", "))));
    d->hintText->setText(tr("A capture that was not analysed yet is analysed first."));
  } else if (!enough) {
    d->hintTitle->setText(m_model.studies().empty() ? tr("Add the first capture")
                                                    : tr("Add a second capture"));
    d->hintText->setText(
        (problems + QStringList{tr("Drop captures or analyses here, drag them from the library, "
                                   "or press Add. Two to six can be compared.")})
            .join(QStringLiteral("\n\n")));
    d->warnings->hide();
  } else if (!problems.isEmpty()) {
    Q_EMIT complained(problems.join(QStringLiteral(" ")));
  }
}

void ComparePage::take(const CompareViews& views) {
  const QString metric = QString::fromStdString(describeMetric(views.metric).title);
  for (const ComparePanel& panel : comparePanels()) {
    FigureView& view = *d->figure.at(panel.id);
    FigureView::Build build = panel.build(views);
    view.setTips(build && panel.tips != nullptr ? panel.tips(views) : std::vector<FigureTip>());
    if (build)
      view.setFigure(std::move(build));
    else
      view.setMessage(panel.showsMetric ? tr("These analyses have no %1.").arg(metric)
                                        : tr("These analyses lack the numbers of this picture."));
    if (panel.showsMetric)
      d->dock.at(panel.id)->bar().setTitle(QStringLiteral("%1: %2").arg(panel.title, metric));
  }
  d->dock.at(kGrids)->bar().setTitle(tr("Heads: %1").arg(metric));
  d->dock.at(kGrids)->bar().setNote(QString::fromStdString(headMatchingText(views.matching)));
  d->numbers->setViews(m_model.views());
  const bool many = views.comparison->models.size() > 3;
  d->table->horizontalHeader()->setSectionResizeMode(many ? QHeaderView::ResizeToContents
                                                          : QHeaderView::Stretch);
  d->table->horizontalHeader()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
  d->table->horizontalHeader()->setMinimumSectionSize(many ? kLeastColumn : -1);
  QStringList warnings;
  for (const std::string& warning : views.warnings) warnings.append(sentence(warning));
  const QString text = warnings.join(QStringLiteral(" "));
  if (text.isEmpty()) d->warnings->hide();
  if (!text.isEmpty() && text != d->warned) d->warnings->show({Message::Kind::Caution, text, {}, {}, 0});
  d->warned = text;
  d->stack->setCurrentIndex(1);
  if (!d->sized) QTimer::singleShot(0, this, &ComparePage::sizeDocks);
  d->sized = true;
  Q_EMIT changed();
}

void ComparePage::dragEnterEvent(QDragEnterEvent* event) {
  acceptFiles(*event);
}

void ComparePage::dropEvent(QDropEvent* event) {
  add(takeFiles(*event));
}

}  // namespace plastiscope
