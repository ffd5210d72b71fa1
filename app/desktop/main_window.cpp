#include "app/desktop/main_window.h"

#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QCloseEvent>
#include <QComboBox>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QScreen>
#include <QStatusBar>
#include <QTabBar>
#include <QTabWidget>
#include <QToolButton>
#include <algorithm>

#include "app/desktop/figure_reopener.h"
#include "app/desktop/thesis_page.h"
#include "core/jobs/study_job.h"
#include "widgets/jobs/job_bar.h"
#include "widgets/models/text_links.h"
#include "widgets/pages/benchmarks_page.h"
#include "widgets/pages/compare_page.h"
#include "widgets/pages/file_pages.h"
#include "widgets/pages/help_panel.h"
#include "widgets/pages/library_panel.h"
#include "widgets/pages/model_page.h"
#include "widgets/pages/notes_panel.h"
#include "widgets/pages/panel_dock.h"
#include "widgets/pages/tour.h"
#include "widgets/pages/welcome_page.h"
#include "widgets/plots/plot_view.h"
#include "widgets/state/file_text.h"
#include "widgets/state/icons.h"
#include "widgets/state/small_widgets.h"
#include "widgets/state/theme.h"

namespace fs = std::filesystem;

namespace plastiscope {
namespace {

constexpr int kLibraryWidth = 248, kCardHeight = 300, kSaveDelayMilliseconds = 1000;
constexpr QSize kPreviewPixels(352, 252), kFirstSize(1600, 1000), kLeastCentre(480, 360),
    kLeastLibrary(180, 90);

}  // namespace

MainWindow::MainWindow(Session& session, QWidget* parent)
    : QMainWindow(parent),
      m_session(session),
      m_layout(readLayout(session.folder())),
      m_tabs(named("tabs", new QTabWidget(this))),
      m_message(new MessageBar(this)),
      m_textLinks(new TextLinks(session.workers(), this)),
      m_lastRunRunner(session.workers(), WorkLength::Quick),
      m_previewRunner(session.workers(), WorkLength::Long),
      m_copyRunner(session.workers(), WorkLength::Quick),
      m_sessionRunner(session.workers(), WorkLength::Long),
      m_locateRunner(session.workers(), WorkLength::Long) {
  setObjectName(QStringLiteral("mainWindow"));
  setWindowTitle(tr("Plastiscope"));
  setWindowIcon(QIcon(QStringLiteral(":/plastiscope/icons/plastiscope.svg")));
  setAcceptDrops(true);
  setDockNestingEnabled(true);
  setCorner(Qt::TopLeftCorner, Qt::LeftDockWidgetArea);
  setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
  resizeOnScreen(*this, kFirstSize);
  m_saveDelay.setSingleShot(true);
  m_saveDelay.setInterval(kSaveDelayMilliseconds);
  connect(&m_saveDelay, &QTimer::timeout, this, &MainWindow::saveNow);
  setScreenColours(QString::fromStdString(session.settings().metricColours),
                   QString::fromStdString(session.settings().mapColours));
  buildCentre();
  buildDocks();
  buildMenus();
  buildToolBar();
  connectSession();
  buildReopener();
  if (!m_layout.geometry.isEmpty()) restoreGeometry(m_layout.geometry);
  if (!isMaximized() && !isFullScreen()) setGeometry(withinScreen(geometry(), screen()->availableGeometry()));
  if (!m_layout.docks.isEmpty()) restoreState(m_layout.docks, kWindowLayoutVersion);
  showWelcome();
  offerUnfinished();
  m_session.refreshLibrary();
}

MainWindow::~MainWindow() {
  // Pages and docks send signals while they are destroyed, to a partly destroyed window.
  m_session.disconnect(this);
  m_tabs->disconnect(this);
  for (int i = 0; i < m_tabs->count(); ++i) m_tabs->widget(i)->disconnect(this);
  delete takeCentralWidget();
}

void MainWindow::buildCentre() {
  m_tabs->setDocumentMode(true);
  m_tabs->setTabsClosable(true);
  m_tabs->setMovable(true);
  m_tabs->setIconSize({15, 15});
  m_tabs->tabBar()->setExpanding(false);
  m_tabs->tabBar()->setDrawBase(false);
  m_tabs->tabBar()->setChangeCurrentOnDrag(true);  // for dropping a capture onto another tab
  auto* plus = iconButton(QStringLiteral("plus"), 12, tr("Welcome page: open something else"), m_tabs);
  plus->setAutoRaise(true);
  connect(plus, &QToolButton::clicked, this, &MainWindow::showWelcome);
  m_tabs->setCornerWidget(plus);
  auto* centre = named("pageHost", new QWidget(this));
  columnIn(centre, {{m_tabs, 1}}, {.margins = {}, .spacing = 0});
  m_message->floatOver(*centre);
  centre->setMinimumSize(kLeastCentre);  // content cannot make the window larger than the screen
  setCentralWidget(centre);
  statusBar()->setSizeGripEnabled(false);
  statusBar()->setContentsMargins(0, 0, 0, 0);
  auto* jobs = new JobBar(m_session.jobs(), this);
  jobs->offerUnfinished(m_session.captures());
  statusBar()->addWidget(jobs, 1);
  connect(m_tabs, &QTabWidget::tabCloseRequested, this, &MainWindow::closeTab);
  connect(m_tabs, &QTabWidget::currentChanged, this, &MainWindow::currentTabChanged);
}

void MainWindow::buildDocks() {
  m_libraryDock = new PanelDock(QStringLiteral("libraryDock"), tr("Library"), this);
  m_libraryDock->setContent(m_library = new LibraryPanel(m_session.library(), m_libraryDock->body()));
  m_detailsDock = new PanelDock(QStringLiteral("cardDock"), tr("Details"), this);
  m_detailsDock->setContent(m_details = new DetailsPanel(m_detailsDock->body()));
  m_helpDock = new PanelDock(QStringLiteral("helpDock"), tr("Help"), this);
  m_helpDock->setContent(m_help = new HelpPanel(m_session.workers(), m_helpDock->body()));
  for (QWidget* panel : std::initializer_list<QWidget*>{m_library, m_details})
    panel->setMinimumSize(kLeastLibrary);
  addDockWidget(Qt::LeftDockWidgetArea, m_libraryDock);
  splitDockWidget(m_libraryDock, m_detailsDock, Qt::Vertical);
  addDockWidget(Qt::RightDockWidgetArea, m_helpDock);
  m_notesDock = new PanelDock(QStringLiteral("notesDock"), tr("Notes"), this);
  m_notesDock->setContent(m_notes = new NotesPanel(m_notesDock->body()));
  addDockWidget(Qt::RightDockWidgetArea, m_notesDock);
  m_helpDock->hide();
  m_notesDock->hide();
  resizeDocks({m_libraryDock}, {kLibraryWidth}, Qt::Horizontal);
  resizeDocks({m_libraryDock, m_detailsDock}, {height() - kCardHeight, kCardHeight}, Qt::Vertical);
  connect(m_library, &LibraryPanel::opened, this, [this](const fs::path& path) { openPaths({path}); });
  connect(m_library, &LibraryPanel::captureRequested, this,
          [this](const fs::path& model) { captureDialog(model); });
  connect(m_library, &LibraryPanel::compareRequested, this, &MainWindow::compareWithCurrent);
  connect(m_library, &LibraryPanel::refreshRequested, &m_session, &Session::refreshLibrary);
  connect(m_library, &LibraryPanel::selectionChanged, this, [this] {
    if (const LibraryEntry* entry = m_library->selected()) m_details->show(*entry);
  });
}

void MainWindow::openExample() {
  const fs::path example = exampleCapture();
  if (example.empty())
    say(Message::Kind::Bad, tr("The example capture was not found in the installation."));
  else
    openPaths({example});
}

void MainWindow::takeTour() {
  std::error_code ignored;
  const fs::path example = exampleCapture();
  m_tourOf = example.empty() ? fs::path() : fs::absolute(example, ignored).lexically_normal();
  openExample();
  if (currentPage() != nullptr && currentPage()->file() == m_tourOf) beginTour();
}

void MainWindow::beginTour() {
  m_tourOf.clear();
  delete m_tour;
  m_tourPage = currentPage();
  m_tour = new TourCard(
      [this](const QString& view) -> QWidget* {
        if (!m_tourPage) return nullptr;
        if (m_tourPage->hasMaximised()) m_tourPage->maximiseCurrent();
        return m_tourPage->showView(view);
      },
      this);
  m_tour->go(0);
}

ModelPage* MainWindow::currentPage() const {
  return qobject_cast<ModelPage*>(m_tabs->currentWidget());
}

ComparePage* MainWindow::currentCompare() const {
  return qobject_cast<ComparePage*>(m_tabs->currentWidget());
}

ThesisPage* MainWindow::currentThesis() const {
  return qobject_cast<ThesisPage*>(m_tabs->currentWidget());
}

BenchmarksPage* MainWindow::currentBenchmarks() const {
  return qobject_cast<BenchmarksPage*>(m_tabs->currentWidget());
}

PanelWindow* MainWindow::currentPanels() const {
  if (ModelPage* page = currentPage()) return page;
  if (ComparePage* page = currentCompare()) return &page->panels();
  return nullptr;
}

Selection* MainWindow::currentSelection() const {
  if (ModelPage* page = currentPage()) return &page->selection();
  if (ComparePage* page = currentCompare()) return &page->selection();
  return nullptr;
}

std::shared_ptr<const AnalysisFile> MainWindow::currentAnalysis() const {
  if (const ModelPage* page = currentPage()) return page->study().analysis;
  if (const ComparePage* page = currentCompare()) {
    const auto studies = page->model().studies();
    if (!studies.empty()) return studies.front()->analysis;
  }
  return nullptr;
}

std::vector<HeadName> MainWindow::currentHeads() const {
  const auto analysis = currentAnalysis();
  return analysis ? headsOf(*analysis) : std::vector<HeadName>();
}

std::optional<HeadName> MainWindow::neighbourHead(int step) const {
  if (ModelPage* page = currentPage()) return page->model().neighbour(step);
  if (const ComparePage* page = currentCompare()) return page->model().neighbour(step);
  return std::nullopt;
}

bool MainWindow::settled() const {
  for (int i = 0; i < m_tabs->count(); ++i) {
    const auto* compare = qobject_cast<ComparePage*>(m_tabs->widget(i));
    if (compare && !compare->settled()) return false;
    const auto* thesis = qobject_cast<ThesisPage*>(m_tabs->widget(i));
    if (thesis && !thesis->settled()) return false;
    const auto* benchmarks = qobject_cast<BenchmarksPage*>(m_tabs->widget(i));
    if (benchmarks && !benchmarks->model().settled()) return false;
    auto* page = qobject_cast<ModelPage*>(m_tabs->widget(i));
    auto* loading = qobject_cast<LoadingPage*>(m_tabs->widget(i));
    if ((page && !page->model().settled()) || (loading && !loading->failed())) return false;
  }
  return !m_session.busy() && m_help->settled() && !m_textLinks->running() && !m_lastRunRunner.running() &&
         !m_previewRunner.running() && !m_copyRunner.running() && !m_sessionRunner.running() &&
         !m_locateRunner.running() && !m_reopener->busy();
}

void MainWindow::showPage(const std::string& name) {
  if (name == "thesis") return openThesis();
  if (name == "tour") return takeTour();
  ModelPage* page = currentPage();
  if (!page) return;
  if (name == "inspect") page->showOnlyHeadViews();
  if (name == "cloud") page->showView(QStringLiteral("cloud"));
  if (name == "text") page->showText();
}

void MainWindow::setTheme(const QString& choice) {
  AppSettings settings = m_session.settings();
  settings.theme = choice.toStdString();
  useSettings(settings);
}

void MainWindow::useSettings(const AppSettings& settings) {
  const AppSettings before = std::exchange(m_session.settings(), settings);
  m_session.settings().recentFiles = before.recentFiles;
  m_session.settings().usedFolders = before.usedFolders;
  if (settings.captureFolder != before.captureFolder) m_session.keepFolder(before.captureFolder);
  m_session.saveSettings();
  setScreenColours(QString::fromStdString(settings.metricColours),
                   QString::fromStdString(settings.mapColours));
  const QString theme = QString::fromStdString(settings.theme);
  if (settings.theme != before.theme || settings.fontPoints != before.fontPoints)
    applyTheme(*qApp, theme, settings.fontPoints);
  for (QAction* action : m_themes->actions()) action->setChecked(action->objectName() == "theme-" + theme);
  for (PlotView* view : findChildren<PlotView*>()) view->setTheme(std::nullopt);  // redraws
  paintPreviews();
  if (settings.modelFolders != before.modelFolders || settings.captureFolder != before.captureFolder)
    m_session.refreshLibrary();
}

void MainWindow::say(Message::Kind kind, const QString& text, int hideAfterMilliseconds) {
  Message message;
  message.kind = kind;
  message.text = text;
  message.hideAfterMilliseconds = hideAfterMilliseconds;
  m_message->show(message);
}

void MainWindow::sayOf(QWidget* page, Message::Kind kind, const QString& text) {
  Message message;
  message.kind = kind;
  message.text = text;
  message.page = page;
  m_message->show(message);
}

void MainWindow::pageChanged() {
  for (const auto& [action, menu, offer] : m_commands) action->setEnabled(offers(offer));
  m_metric->setEnabled(currentAnalysis() != nullptr);
  showPlasticity();
  fillMetrics();
  const Selection* selection = currentSelection();
  if (!selection) return showHead(std::nullopt, false);
  const ViewSelection& now = selection->value();
  showHead(now.head, now.head && now.marked.contains(*now.head));
  const ComparePage* compare = currentCompare();
  const bool compared = compare && compare->model().views() && compare->model().settled();
  const std::string metric = compared ? compare->model().views()->metric : now.metric;
  m_metric->setCurrentIndex(m_metric->findData(QString::fromStdString(metric)));
  m_help->showMetric(metric);
  saveSoon();
}

void MainWindow::focusPanel(int step) {
  std::vector<PanelDock*> docks;
  for (PanelDock* dock : findChildren<PanelDock*>()) {
    if (dock->isVisible() && !dock->visibleRegion().isEmpty()) docks.push_back(dock);
  }
  if (docks.empty()) return;
  const auto place = [this](const QWidget* dock) { return dock->mapTo(this, QPoint(0, 0)); };
  std::sort(docks.begin(), docks.end(), [&](const PanelDock* a, const PanelDock* b) {  // column by column
    return std::pair(place(a).x(), place(a).y()) < std::pair(place(b).x(), place(b).y());
  });
  const auto now = std::find_if(docks.begin(), docks.end(), [this](const PanelDock* dock) {
    return focusWidget() != nullptr && dock->isAncestorOf(focusWidget());
  });
  const auto count = static_cast<int>(docks.size());
  const int first = now == docks.end() ? (step > 0 ? -1 : 0) : static_cast<int>(now - docks.begin());
  for (int i = 1; i <= count; ++i) {
    const PanelDock* dock = docks[static_cast<std::size_t>(((first + i * step) % count + count) % count)];
    for (QWidget* part : dock->widget()->findChildren<QWidget*>()) {
      if (!part->isVisible() || !part->isEnabled() || !(part->focusPolicy() & Qt::TabFocus)) continue;
      part->setFocus(Qt::TabFocusReason);
      return;
    }
  }
}

void MainWindow::refreshWelcome() {
  if (!m_welcome) return;
  if (m_session.searchingModels())
    m_welcome->setModelsSearching();
  else
    m_welcome->setModels(m_session.library().entries(EntryKind::Model));
  m_welcome->setRecent(m_session.settings().recentFiles);
  const fs::path example = exampleCapture();
  const LibraryEntry* entry = example.empty() ? nullptr : m_session.library().entryOf(example);
  m_welcome->setExample(entry ? std::optional(*entry) : std::nullopt);
  // In a worker: disks may be slow, also while a session is being written.
  m_lastRunRunner.start([&store = m_session.store()](Progress&) { return !store.ofLastRun().tabs.empty(); },
                        [this](JobResult<bool> any) {
                          if (m_welcome) m_welcome->setSessionAvailable(any.ok() && *any.value);
                        });
}

void MainWindow::paintPreviews() {
  const fs::path example = exampleCapture();
  if (example.empty() || !m_welcome) return;
  m_previewRunner.start(
      [example, dark = currentTheme().dark](Progress& progress) {
        return plastiscope::paintPreviews(*openStudy(example, AnalysisSettings(), 0, progress),
                                          kPreviewPixels, dark);
      },
      [this](JobResult<PreviewPictures> pictures) {
        if (pictures.ok() && m_welcome) m_welcome->setPreviews(*pictures.value);
      });
}

void MainWindow::closeEvent(QCloseEvent* event) {
  if (m_session.captures().running()) {
    QMessageBox question(
        QMessageBox::Question, tr("A capture is running"),
        tr("Stop the capture and quit? Finished texts are kept, and the capture can be resumed."),
        QMessageBox::NoButton, this);
    const QPushButton* quit = question.addButton(tr("Stop and quit"), QMessageBox::AcceptRole);
    question.setDefaultButton(question.addButton(tr("Keep capturing"), QMessageBox::RejectRole));
    question.exec();
    if (question.clickedButton() != quit) return event->ignore();
  }
  saveNow();
  m_session.finishWriting();
  event->accept();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  acceptFiles(*event);
}

void MainWindow::dropEvent(QDropEvent* event) {
  openPaths(takeFiles(*event));
}

}  // namespace plastiscope

#include "moc_main_window.cpp"
