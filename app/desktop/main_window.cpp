#include "app/desktop/main_window.h"

#include <QActionGroup>
#include <QApplication>
#include <QCloseEvent>
#include <QFileDialog>
#include <QMessageBox>
#include <QPushButton>
#include <QStatusBar>
#include <QToolButton>
#include <algorithm>

#include "app/desktop/head_bar.h"
#include "app/desktop/thesis_page.h"
#include "core/base/natural_order.h"
#include "widgets/export/figure_provenance.h"
#include "widgets/jobs/job_bar.h"
#include "widgets/models/text_links.h"
#include "widgets/pages/benchmarks_page.h"
#include "widgets/pages/compare_page.h"
#include "widgets/pages/file_pages.h"
#include "widgets/pages/help_panel.h"
#include "widgets/pages/library_panel.h"
#include "widgets/pages/model_page.h"
#include "widgets/pages/runs_page.h"
#include "widgets/pages/tour.h"
#include "widgets/plots/plot_view.h"
#include "widgets/state/file_text.h"
#include "widgets/state/icons.h"
#include "widgets/state/small_widgets.h"
#include "widgets/state/theme.h"

namespace fs = std::filesystem;

namespace plastiscope {
namespace {

constexpr int kSaveDelayMilliseconds = 1000;
constexpr QSize kFirstSize(1600, 1000), kLeastCentre(480, 360);

}  // namespace

MainWindow::MainWindow(Session& session, QWidget* parent)
    : QMainWindow(parent),
      m_session(session),
      m_tabs(new WindowTabs(this)),
      m_message(new MessageBar(this)),
      m_textLinks(new TextLinks(session.workers, this)),
      m_files(*m_tabs, session, *m_message),
      m_sessions(
          *m_tabs, m_files, session, *m_message,
          {[this](const SessionTab& tab) {
             tab.runs ? openRuns(*tab.runs) : tab.benchmark ? openBenchmarks(tab) : (void)openComparison(tab);
             return m_tabs->currentWidget();
           },
           [this](const auto& files, const ViewSelection& selection) { openPaths(files, selection); }}),
      m_welcome(*m_tabs, session),
      m_dialogs(*m_tabs, m_files, session, *m_message),
      m_reopener(*this, session),
      m_exports(*m_tabs, m_reopener, session, *m_message) {
  setObjectName(QStringLiteral("mainWindow"));
  setWindowTitle(tr("Plastiscope"));
  setWindowIcon(QIcon(QStringLiteral(":/plastiscope/icons/plastiscope.svg")));
  setAcceptDrops(true);
  setDockNestingEnabled(true);
  setCorner(Qt::TopLeftCorner, Qt::LeftDockWidgetArea);
  setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
  m_saveDelay.setSingleShot(true);
  m_saveDelay.setInterval(kSaveDelayMilliseconds);
  connect(&m_saveDelay, &QTimer::timeout, this, &MainWindow::save);
  setScreenColours(QString::fromStdString(session.state.settings().metricColours),
                   QString::fromStdString(session.state.settings().mapColours));
  resizeOnScreen(*this, kFirstSize);
  buildCentre();
  m_docks = std::make_unique<WindowDocks>(*this, session);
  buildMenus();
  m_bar =
      new HeadBar(*m_tabs, *m_message,
                  {[this](const char* name) { return command(name); }, [this] { return paletteCommands(); }});
  addToolBar(m_bar);
  connectParts();
  connectSession();
  m_docks->restore();
  m_welcome.show();
  m_dialogs.offerUnfinished();
  m_session.library.refresh();
}

MainWindow::~MainWindow() {
  // Pages and docks send signals while they are destroyed, to a partly destroyed window.
  m_tabs->disconnect(this);
  for (int i = 0; i < m_tabs->count(); ++i) m_tabs->widget(i)->disconnect(this);
  delete takeCentralWidget();
}

void MainWindow::buildCentre() {
  auto* plus = iconButton(QStringLiteral("plus"), 12, tr("Welcome page: open something else"), m_tabs);
  plus->setAutoRaise(true);
  connect(plus, &QToolButton::clicked, &m_welcome, &WelcomeTab::show);
  m_tabs->setCornerWidget(plus);
  auto* centre = named("pageHost", new QWidget(this));
  columnIn(centre, {{m_tabs, 1}, m_message}, {.margins = {}, .spacing = 0});
  centre->setMinimumSize(kLeastCentre);  // content cannot make the window larger than the screen
  setCentralWidget(centre);
  statusBar()->setSizeGripEnabled(false);
  statusBar()->setContentsMargins(0, 0, 0, 0);
  auto* jobs = new JobBar(m_session.jobs, this);
  jobs->offerUnfinished(m_session.captures);
  statusBar()->addWidget(jobs, 1);
}

void MainWindow::connectParts() {
  connect(m_tabs, &QTabWidget::currentChanged, this, &MainWindow::currentTabChanged);
  connect(m_tabs, &WindowTabs::closing, this, &MainWindow::tabClosing);
  connect(m_tabs, &WindowTabs::closed, this, [this] {
    if (m_tabs->count() == 0) m_welcome.show();
    m_saveDelay.start();
  });
  connect(&m_files, &FileTabs::publishedGiven, this, [this](const std::filesystem::path& published) {
    // Into the comparison or the benchmarks that are shown, else alone.
    currentCompare() || currentBenchmarks() ? compareWithCurrent(published) : compareAll({published});
  });
  connect(&m_files, &FileTabs::pageMade, this, &MainWindow::connectModel);
  connect(&m_files, &FileTabs::pageShown, this, [this](const ModelPage* page) {
    pageChanged();
    if (page == currentPage() && page->file() == m_tourOf) beginTour();
  });
  connect(&m_files, &FileTabs::openingFailed, this, &MainWindow::openingFailed);
  connect(&m_sessions, &SessionTabs::openingFailed, this, &MainWindow::openingFailed);
  connect(&m_sessions, &SessionTabs::changed, &m_saveDelay, qOverload<>(&QTimer::start));
  connect(&m_welcome, &WelcomeTab::pageMade, this, &MainWindow::connectWelcome);
  connect(&m_dialogs, &StudyDialogs::modelRequested, this, &MainWindow::openDialog);
  connect(&m_reopener, &FigureReopener::said, m_message, qOverload<const Message&>(&MessageBar::show));
  connect(&m_reopener, &FigureReopener::failed, this, [this](const QString& sentence) {
    m_message->say(Message::Kind::Bad, sentence);
    Q_EMIT openingFailed(sentence);
  });
  const LibraryPanel& library = m_docks->library();
  connect(&library, &LibraryPanel::opened, this, [this](const fs::path& path) { openPaths({path}); });
  connect(&library, &LibraryPanel::captureRequested, this,
          [this](const fs::path& model) { m_dialogs.capture(model); });
  connect(&library, &LibraryPanel::compareRequested, this, &MainWindow::compareWithCurrent);
  connect(&library, &LibraryPanel::comparisonRequested, this, &MainWindow::compareAll);
  connect(&library, &LibraryPanel::refreshRequested, &m_session.library, &Library::refresh);
}

void MainWindow::connectSession() {
  const auto report = [this](const QString& sentence) { m_message->say(Message::Kind::Bad, sentence); };
  connect(&m_session.state, &UserState::failed, this, report);
  connect(&m_session.captures, &CaptureList::failed, this, report);
  connect(&m_session.library, &Library::failed, this, report);
  connect(&m_session.opener, &FileOpener::failed, this, report);
  connect(&m_session.studyJobs, &StudyJobs::failed, this, report);
  connect(&m_session.studyJobs, &StudyJobs::written, m_message, &MessageBar::sayDone);
  connect(&m_session.studyJobs, &StudyJobs::measured, this, &MainWindow::showMeasured);
  connect(&m_session.opener, &FileOpener::modelFound, this, &MainWindow::showModel);
  connect(&m_session.opener, &FileOpener::studiesFound, this,
          [this](const std::vector<fs::path>& files, const ViewSelection& selection) {
            SessionTab start{{}, selection, evenlySpaced(files, CompareModel::kMaximum)};
            start.compare.charts = true;  // a trajectory, if they are checkpoints
            openComparison(start);
          });
  connect(&m_session.opener, &FileOpener::textsOffered, this,
          [this](const std::vector<fs::path>& texts) { m_dialogs.capture({}, texts); });
}

void MainWindow::openPaths(const std::vector<fs::path>& given, const ViewSelection& asked) {
  ViewSelection selection = asked;
  if (asked.plasticity == ViewSelection().plasticity)
    selection.usePlasticity(m_session.state.settings().plasticity);
  std::vector<fs::path> paths;
  std::ranges::transform(given, std::back_inserter(paths), sessionOfLibrary);
  if (std::ranges::any_of(paths, mayBeFigure))
    m_reopener.open(paths, selection);
  else
    m_files.open(paths, selection);
}

void MainWindow::openDialog() {
  const QStringList files = QFileDialog::getOpenFileNames(
      this, tr("Open"), fileText(m_session.state.captureFolder()),
      tr("Captures, analyses and models (*.h5 *.hdf5 *.gguf *.safetensors config.json);;Sessions "
         "(*.json);;Exported "
         "figures "
         "(*.pdf *.svg *.png *.html *.json);;Texts (*.txt *.jsonl *.json);;All files (*)"));
  std::vector<fs::path> paths;
  for (const QString& file : files) {
    const fs::path path = file.toStdString();
    paths.push_back(path.filename() == "config.json" ? path.parent_path() : path);
  }
  if (!paths.empty()) openPaths(paths);
}

void MainWindow::openExample() {
  const fs::path example = exampleCapture();
  if (example.empty())
    m_message->say(Message::Kind::Bad, tr("The example capture was not found in the installation."));
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
  return m_tabs->current<ModelPage>();
}

ComparePage* MainWindow::currentCompare() const {
  return m_tabs->current<ComparePage>();
}

BenchmarksPage* MainWindow::currentBenchmarks() const {
  return m_tabs->current<BenchmarksPage>();
}

ThesisPage* MainWindow::currentThesis() const {
  return m_tabs->current<ThesisPage>();
}

bool MainWindow::settled() const {
  return m_tabs->settled() && !m_session.busy() && m_docks->help().settled() && !m_textLinks->running() &&
         !m_welcome.busy() && !m_exports.copying() && !m_sessions.reading() && !m_files.locating() &&
         !m_reopener.busy();
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
  AppSettings settings = m_session.state.settings();
  settings.theme = choice.toStdString();
  useSettings(settings);
}

void MainWindow::useSettings(const AppSettings& settings) {
  const AppSettings before = std::exchange(m_session.state.settings(), settings);
  m_session.state.settings().recentFiles = before.recentFiles;
  m_session.state.settings().usedFolders = before.usedFolders;
  if (settings.captureFolder != before.captureFolder) m_session.state.keepFolder(before.captureFolder);
  m_session.state.saveSettings();
  setScreenColours(QString::fromStdString(settings.metricColours),
                   QString::fromStdString(settings.mapColours));
  const QString theme = QString::fromStdString(settings.theme);
  if (settings.theme != before.theme || settings.fontPoints != before.fontPoints)
    applyTheme(*qApp, theme, settings.fontPoints);
  for (QAction* action : m_themes->actions()) action->setChecked(action->objectName() == "theme-" + theme);
  for (PlotView* view : findChildren<PlotView*>()) view->setTheme(std::nullopt);  // redraws
  m_welcome.paintPreviews();
  if (settings.modelFolders != before.modelFolders || settings.captureFolder != before.captureFolder)
    m_session.library.refresh();
  Q_EMIT settingsChanged();
}

void MainWindow::tabClosing(QWidget* page) {
  m_docks->remember(page);
}

void MainWindow::currentTabChanged() {
  disconnect(m_pageConnection);
  if (m_tour && currentPage() != m_tourPage) m_tour->close();
  const PanelWindow* panels = m_tabs->panels();
  m_docks->giveRoom(panels && panels->hasMaximised());
  m_message->pageChanged(m_tabs->currentWidget());
  m_docks->help().showPage(currentCompare()              ? QStringLiteral("compare")
                           : currentBenchmarks()         ? QStringLiteral("benchmarks")
                           : currentThesis()             ? QStringLiteral("thesis")
                           : m_tabs->current<RunsPage>() ? QStringLiteral("runs")
                                                         : QString());
  m_docks->setCurrentPage(m_tabs->currentWidget());
  if (const Selection* selection = m_tabs->selection())
    m_pageConnection = connect(selection, &Selection::changed, this, &MainWindow::pageChanged);
  QString title;
  if (const ModelPage* page = currentPage()) title = QString::fromStdString(page->study().title);
  if (const ComparePage* compare = currentCompare()) title = compare->title();
  if (const auto* missing = m_tabs->current<MissingPage>()) title = fileText(missing->file().stem());
  setWindowTitle(title.isEmpty() ? tr("Plastiscope") : tr("%1 – Plastiscope").arg(title));
  pageChanged();
}

void MainWindow::pageChanged() {
  for (const auto& [action, menu, offer] : m_commands) action->setEnabled(offers(offer));
  showPlasticity();
  m_bar->refresh();
  if (!m_tabs->selection()) return;
  m_docks->help().showMetric(m_bar->metric());
  m_saveDelay.start();
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

void MainWindow::save() {
  m_saveDelay.stop();
  m_sessions.save();
  m_docks->save(m_tabs->currentWidget());
}

void MainWindow::closeEvent(QCloseEvent* event) {
  if (m_session.captures.running()) {
    QMessageBox question(
        QMessageBox::Question, tr("A capture is running"),
        tr("Stop the capture and quit? Finished texts are kept, and the capture can be resumed."),
        QMessageBox::NoButton, this);
    const QPushButton* quit = question.addButton(tr("Stop and quit"), QMessageBox::AcceptRole);
    question.setDefaultButton(question.addButton(tr("Keep capturing"), QMessageBox::RejectRole));
    question.exec();
    if (question.clickedButton() != quit) return event->ignore();
  }
  save();
  m_session.state.finishWriting();
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
