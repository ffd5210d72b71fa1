// Pages of the window's tabs: makes those of several captures, and connects all with the window.
#include <QAction>
#include <QFileDialog>
#include <QMenu>
#include <QTableView>
#include <algorithm>
#include <set>

#include "app/desktop/main_window.h"
#include "app/desktop/thesis_page.h"
#include "core/base/json.h"
#include "core/base/option.h"
#include "core/compare/compare_matrix.h"
#include "core/views/study_facts.h"
#include "widgets/compare/add_captures.h"
#include "widgets/export/thesis_figures.h"
#include "widgets/models/library_entry.h"
#include "widgets/models/text_links.h"
#include "widgets/pages/benchmarks_page.h"
#include "widgets/pages/compare_page.h"
#include "widgets/pages/help_panel.h"
#include "widgets/pages/library_panel.h"
#include "widgets/pages/model_page.h"
#include "widgets/pages/runs_page.h"
#include "widgets/pages/welcome_page.h"
#include "widgets/plots/head_grid_view.h"
#include "widgets/plots/plasticity_map_view.h"
#include "widgets/plots/plot_view.h"
#include "widgets/state/file_text.h"
#include "widgets/state/icons.h"
#include "widgets/state/small_widgets.h"

namespace fs = std::filesystem;

namespace plastiscope {

void MainWindow::connectModel(ModelPage* page) {
  connectPanels(*page);
  connect(&page->model(), &StudyModel::studyChanged, this, &MainWindow::pageChanged);  // other columns
  connect(page, &ModelPage::rowsRequested, &m_dialogs, &StudyDialogs::chooseRows);
  m_textLinks->add(page->model());
  m_docks->remember(m_tabs->currentWidget());
  m_docks->arrange(*page);
  offerPicture(*page);
}

void MainWindow::connectWelcome(WelcomePage* page) {
  connect(page, &WelcomePage::exampleRequested, this, &MainWindow::openExample);
  connect(page, &WelcomePage::openRequested, this, &MainWindow::openDialog);
  connect(page, &WelcomePage::captureRequested, this,
          [this](const fs::path& model) { m_dialogs.capture(model); });
  connect(page, &WelcomePage::pathChosen, this, [this](const fs::path& path) { openPaths({path}); });
  connect(page, &WelcomePage::sessionRequested, this, [this] { m_sessions.restore({}, {}); });
  connect(page, &WelcomePage::helpRequested, this, [this] { m_docks->helpDock().show(); });
  connect(page, &WelcomePage::tourRequested, this, &MainWindow::takeTour);
}

void MainWindow::connectPanels(PanelWindow& panels) {
  connect(&panels, &PanelWindow::layoutChanged, &m_saveDelay, qOverload<>(&QTimer::start));
  connect(&panels, &PanelWindow::maximisedChanged, this,
          [this] { m_docks->giveRoom(m_tabs->panels() && m_tabs->panels()->hasMaximised()); });
  connect(&panels, &PanelWindow::exportRequested, &m_exports, &FigureExports::exportCurrent);
  connect(&panels, &PanelWindow::dragRequested, &m_exports, &FigureExports::dragCurrent);
  connect(&panels, &PanelWindow::viewEntered, &m_docks->help(), &HelpPanel::showView);
  for (PlotView* view : panels.findChildren<PlotView*>()) {
    if (qobject_cast<PlasticityMapView*>(view)) offerColours(*view, "map_colours");
    if (qobject_cast<HeadGridView*>(view)) offerColours(*view, "metric_colours");
    addMenuLine(*view);
    view->addActions(
        {command("actionCopy"), command("actionPython"), command("actionExport"), command("actionToPage")});
  }
  for (PanelDock* dock : panels.docks()) dock->bar().addAction(command("actionPython"));
}

ComparePage* MainWindow::openComparison(const SessionTab& start, bool inFront) {
  auto* page = new ComparePage(start, m_session.workers, m_session.jobs, m_tabs);
  const int index = m_tabs->addTab(page, lineIcon(QStringLiteral("chart")), page->title());
  connect(page, &ComparePage::titleChanged, this, [this, page](const QString& title) {
    const int place = m_tabs->indexOf(page);
    m_tabs->setTabText(place, title);
    QStringList files;
    for (const fs::path& file : page->model().files()) files.append(fileText(file));
    m_tabs->setTabToolTip(place, plainTip(files.join(QLatin1Char('\n'))));
  });
  connect(page, &ComparePage::changed, this, [this, page] {
    if (page == currentCompare()) pageChanged();
    m_saveDelay.start();
  });
  connect(page, &ComparePage::viewMade, this, [this](PlotView* view) { offerPicture(*view, true); });
  connectPanels(page->panels());
  offerPicture(*page);
  m_docks->arrange(page->panels());
  connect(page, &ComparePage::complained, this, [this, page](const QString& sentence) {
    m_message->sayOf(page, Message::Kind::Caution, sentence);
  });
  connect(page, &ComparePage::addRequested, this, [this, page](QWidget* button) {
    auto* popup = new AddCaptures(addable(*page), CompareModel::kMaximum - page->model().size(), page);
    connect(popup, &AddCaptures::chosen, page, &ComparePage::add);
    connect(popup, &AddCaptures::filesRequested, this,
            [this, page] { page->add(m_dialogs.askForStudies(tr("Add to the comparison"))); });
    popup->showBelow(*button);
  });
  if (inFront) m_tabs->setCurrentIndex(index);
  pageChanged();
  return page;
}

// Open tabs, the library and the published atlas, except for captures already compared.
std::vector<AddableCapture> MainWindow::addable(const ComparePage& page) const {
  std::vector<AddableCapture> captures;
  std::set<fs::path> known;
  // Lists a study once: a capture stands for the analysis beside it.
  const auto isNew = [&known](const fs::path& file) {
    const bool first = known.insert(file).second;
    known.insert(fs::path(file).replace_extension(".analysis.h5"));
    return first;
  };
  for (const fs::path& file : page.model().files()) isNew(file);
  for (int i = 0; i < m_tabs->count(); ++i) {
    const auto* model = qobject_cast<const ModelPage*>(m_tabs->widget(i));
    if (model == nullptr || !isNew(model->file())) continue;
    captures.push_back({tr("Open tabs"), model->file(), m_tabs->tabText(i),
                        windowText(factsOf(model->study()).window), fileText(model->file()),
                        m_tabs->tabIcon(i)});
  }
  for (const auto& [kind, group] :
       {std::pair(EntryKind::Capture, tr("Library")), std::pair(EntryKind::Analysis, tr("Library")),
        std::pair(EntryKind::Published, tr("Published atlas"))}) {
    for (const LibraryEntry& entry : m_session.library.model().entries(kind)) {
      if (!isNew(entry.path)) continue;
      captures.push_back({group, entry.path, entry.name, entry.note, entry.summary,
                          captureIcon(entry.digest, entry.architecture)});
    }
  }
  return captures;
}

void MainWindow::openBenchmarks(const SessionTab& start) {
  if (const auto open = m_tabs->pages<BenchmarksPage>(); !open.empty()) {
    m_tabs->setCurrentWidget(open.front());
    return open.front()->add(start.compared);
  }
  auto* page = new BenchmarksPage(start, m_session.workers, m_session.jobs, m_tabs);
  offerPicture(*page);
  connect(page, &BenchmarksPage::changed, &m_saveDelay, qOverload<>(&QTimer::start));
  connect(page, &BenchmarksPage::viewEntered, &m_docks->help(), &HelpPanel::showView);
  connect(page, &BenchmarksPage::complained, this,
          [this, page](const QString& sentence) { m_message->sayOf(page, Message::Kind::Bad, sentence); });
  connect(page, &BenchmarksPage::scoresRequested, this, [this, page] {
    const QString file =
        QFileDialog::getOpenFileName(this, tr("Scores: a table with the columns model and score"),
                                     fileText(m_session.state.captureFolder()), tr("Tables (*.csv)"));
    if (!file.isEmpty()) page->add({file.toStdString()});
  });
  connect(page, &BenchmarksPage::addRequested, this,
          [this, page] { page->add(m_dialogs.askForStudies(tr("Add own captures and analyses"))); });
  m_tabs->setCurrentIndex(m_tabs->addTab(page, lineIcon(QStringLiteral("chart")), tr("Benchmarks")));
  pageChanged();
}

void MainWindow::openRuns(const RunsChoices& start) {
  const auto open = m_tabs->pages<RunsPage>();
  RunsPage* page = open.empty() ? nullptr : open.front();
  if (page == nullptr) {
    const auto library = [this] {
      RunPlaces places;
      std::error_code ignored;
      for (const fs::path& folder : m_session.state.captureFolders())
        if (fs::is_directory(folder, ignored)) places.folders.push_back(folder);
      for (const RecentFile& recent : m_session.state.settings().recentFiles)
        if (fs::is_regular_file(recent.path, ignored)) places.files.push_back(recent.path);
      return places;
    };
    const auto isOpen = [this](const fs::path& file) {
      const auto compared = m_tabs->pages<ComparePage>();
      return m_tabs->tabOf(file) >= 0 || std::ranges::any_of(compared, [&](const ComparePage* each) {
               return std::ranges::count(each->model().files(), file) > 0;
             });
    };
    page = new RunsPage(
        start, {m_session.workers, m_session.state.index(), m_session.state.folder(), library, isOpen},
        m_tabs);
    connectRuns(page);
    m_tabs->addTab(page, lineIcon(QStringLiteral("filter")), tr("Runs"));
  }
  m_tabs->setCurrentWidget(page);
  pageChanged();
}

void MainWindow::connectRuns(RunsPage* page) {
  connect(page, &RunsPage::openRequested, this,
          [this](const std::vector<fs::path>& files) { openPaths(files); });
  connect(page, &RunsPage::compareRequested, this, [this](const std::vector<fs::path>& files) {
    SessionTab start{{}, {}, files};
    start.selection.usePlasticity(m_session.state.settings().plasticity);
    openComparison(start);
  });
  connect(page, &RunsPage::folderRequested, this, [this, page] {
    const QString folder = QFileDialog::getExistingDirectory(this, tr("A folder of captures and analyses"));
    if (folder.isEmpty()) return;
    m_session.state.keepFolder(folder.toStdString());
    m_session.library.refresh();
    page->read();
  });
  connect(page, &RunsPage::complained, this,
          [this, page](const QString& sentence) { m_message->sayOf(page, Message::Kind::Bad, sentence); });
  connect(page, &RunsPage::changed, &m_saveDelay, qOverload<>(&QTimer::start));
  connect(page, &RunsPage::filesChanged, &m_session.library, &Library::refresh);
  connect(&m_session.library, &Library::studiesChanged, page, &RunsPage::read);
  connect(&page->sweeps(), &QMenu::aboutToShow, this, [this, page] { m_dialogs.fillSweeps(page->sweeps()); });
}

void MainWindow::openThesis(const std::string& id) {
  const auto open = m_tabs->pages<ThesisPage>();
  ThesisPage* page = open.empty() ? nullptr : open.front();
  if (page == nullptr) {
    page = new ThesisPage(m_session.workers, m_tabs);
    offerPicture(*page);
    connect(page, &ThesisPage::figureChanged, this, &MainWindow::pageChanged);
    m_tabs->addTab(page, lineIcon(QStringLiteral("chart")), tr("Figures of the thesis"));
  }
  m_tabs->setCurrentWidget(page);
  if (!id.empty() || page->figure().empty()) page->showFigure(id.empty() ? thesisFigures().front().id : id);
  pageChanged();
}

void MainWindow::compareWithCurrent(const fs::path& file) {
  if (ComparePage* page = currentCompare(); page && !file.empty()) return page->add({file});
  if (BenchmarksPage* page = currentBenchmarks(); page && !file.empty()) return page->add({file});
  SessionTab start;
  start.selection.usePlasticity(m_session.state.settings().plasticity);
  if (ModelPage* page = currentPage()) {
    start.selection = page->selection().value();
    start.compared.push_back(page->file());
  }
  if (!file.empty()) start.compared.push_back(file);
  openComparison(start);
}

void MainWindow::compareAll(const std::vector<fs::path>& files) {
  SessionTab start;
  start.selection.usePlasticity(m_session.state.settings().plasticity);
  start.compared = files;
  openComparison(start);
}

void MainWindow::offerPicture(QWidget& page) {
  const bool ofHeads = qobject_cast<ModelPage*>(&page) || qobject_cast<ComparePage*>(&page);
  for (PlotView* view : page.findChildren<PlotView*>()) offerPicture(*view, ofHeads);
  if (auto* table = page.findChild<QTableView*>(QStringLiteral("headTable")))
    table->addActions({command("actionStar"), command("actionNote"), submenu("measure").menuAction()});
}

void MainWindow::offerPicture(PlotView& view, bool ofHeads) {
  view.addActions({command("actionCopy"), command("actionPython"), command("actionExport")});
  if (ofHeads) view.addAction(submenu("measure").menuAction());
}

// Offers the colour map preference in the context menus of views that use it.
void MainWindow::offerColours(PlotView& view, const std::string& preference) {
  auto* menu = new QMenu(tr("Colours"), &view);
  menu->setObjectName(QStringLiteral("colours"));
  connect(menu, &QMenu::aboutToShow, this, [this, menu, preference] {
    menu->clear();
    AppSettings shown = m_session.state.settings();
    for (const Option& option : preferences(shown)) {
      if (option.key != preference) continue;
      for (const std::string& name : option.traits.words) {
        QAction* action = menu->addAction(QString::fromStdString(name));
        action->setCheckable(true);
        action->setChecked(textsOf(option).front() == name);
        connect(action, &QAction::triggered, this, [this, preference, name] {
          AppSettings changed = m_session.state.settings();
          for (const Option& each : preferences(changed))
            if (each.key == preference) setJson(each, name, preference);
          useSettings(changed);
        });
      }
    }
  });
  view.addAction(menu->menuAction());
}

void MainWindow::showMeasured(const Measurement& done, const QString& effect) {
  SessionTab start;
  const fs::path& origin = done.origin->capture->path();
  if (auto* page = qobject_cast<ModelPage*>(m_tabs->pageOf(origin)))
    start.selection = page->selection().value();
  if (done.change.kind != Intervention::Rope && !done.change.heads.empty())
    start.selection.head = done.change.heads.front();
  start.compared = {origin, done.out};
  for (const MatrixRow row : kMatrixRows) {
    (hasDifferences(row) ? start.compare.differences : start.compare.hiddenRows).insert(nameOf(row));
  }
  const QPointer<ComparePage> page = openComparison(start, false);
  const QString name = fileText(done.out.filename());
  if (!effect.isEmpty()) m_message->sayOf(page, Message::Kind::Good, name + QStringLiteral(": ") + effect);
  m_message->offerTab(tr("%1 is measured.").arg(name), [this, page] { m_tabs->setCurrentWidget(page); });
}

void MainWindow::showModel(const LibraryEntry& entry) {
  m_docks->library().select(entry.path);
  m_docks->details().show(entry);
  m_welcome.refresh();
  m_message->show({.text = tr("%1: %2. It was added to the library.").arg(entry.name, entry.summary),
                   .actionTitle = tr("Capture …"),
                   .action = [this, path = entry.path] { m_dialogs.capture(path); }});
}

}  // namespace plastiscope
