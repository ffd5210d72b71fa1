// Tabs of the window: opening, showing, closing.
#include <QAction>
#include <QFileDialog>
#include <QLineEdit>
#include <QMenu>
#include <QTabWidget>
#include <QTableView>
#include <algorithm>
#include <iterator>

#include "app/desktop/figure_reopener.h"
#include "app/desktop/main_window.h"
#include "core/base/json.h"
#include "core/base/option.h"
#include "core/base/path_text.h"
#include "core/compare/compare_matrix.h"
#include "core/compare/reference_data.h"
#include "core/jobs/study_finder.h"
#include "core/views/study_facts.h"
#include "widgets/export/figure_provenance.h"
#include "widgets/jobs/capture_list.h"
#include "widgets/models/library_entry.h"
#include "widgets/models/text_links.h"
#include "widgets/pages/compare_page.h"
#include "widgets/pages/file_pages.h"
#include "widgets/pages/help_panel.h"
#include "widgets/pages/library_panel.h"
#include "widgets/pages/model_page.h"
#include "widgets/pages/notes_panel.h"
#include "widgets/pages/panel_dock.h"
#include "widgets/pages/tour.h"
#include "widgets/pages/welcome_page.h"
#include "widgets/plots/head_grid_view.h"
#include "widgets/plots/plasticity_map_view.h"
#include "widgets/plots/plot_view.h"
#include "widgets/state/app_settings.h"
#include "widgets/state/file_text.h"
#include "widgets/state/icons.h"
#include "widgets/state/small_widgets.h"

namespace fs = std::filesystem;

namespace plastiscope {

void MainWindow::connectSession() {
  connect(&m_session, &Session::openingStarted, this, &MainWindow::showOpening);
  connect(&m_session, &Session::studyOpened, this, &MainWindow::showStudy);
  connect(&m_session, &Session::jobFinished, this, &MainWindow::openBehind);
  connect(&m_session, &Session::intervalsAdded, this,
          [this](const fs::path& path, const std::shared_ptr<const Study>& study) {
            if (auto* page = qobject_cast<ModelPage*>(m_tabs->widget(tabOf(path)))) page->setStudy(study);
          });
  connect(&m_session, &Session::openingFailed, this, &MainWindow::showFailure);
  connect(&m_session, &Session::modelFound, this, &MainWindow::showModel);
  connect(&m_session, &Session::textsOffered, this,
          [this](const std::vector<fs::path>& texts) { captureDialog({}, texts); });
  connect(&m_session, &Session::sessionFound, this, &MainWindow::openSession);
  connect(&m_session, &Session::failed, this,
          [this](const QString& sentence) { say(Message::Kind::Bad, sentence); });
  connect(&m_session, &Session::written, this, &MainWindow::sayDone);
  connect(
      &m_session, &Session::measured, this, [this](const Session::Measurement& done, const QString& effect) {
        SessionTab start;
        const fs::path& origin = done.origin->capture->path();
        if (auto* page = qobject_cast<ModelPage*>(m_tabs->widget(tabOf(origin))))
          start.selection = page->selection().value();
        if (done.change.kind != Intervention::Rope) start.selection.head = done.change.head;
        start.compared = {origin, done.out};
        for (const MatrixRow row : kMatrixRows) {
          (hasDifferences(row) ? start.compare.differences : start.compare.hiddenRows).insert(nameOf(row));
        }
        const QPointer<ComparePage> page = openComparison(start, false);
        const QString name = fileText(done.out.filename());
        if (!effect.isEmpty()) sayOf(page, Message::Kind::Good, name + QStringLiteral(": ") + effect);
        offerTab(tr("%1 is measured.").arg(name), [this, page] { m_tabs->setCurrentWidget(page); });
      });
  connect(&m_session, &Session::modelsChanged, this, &MainWindow::refreshWelcome);
  connect(&m_session, &Session::recentChanged, this, &MainWindow::refreshWelcome);
  connect(&m_session.captures(), &CaptureList::ended, this, &MainWindow::captureEnded);
  connect(&m_session.captures(), &CaptureList::found, this, &MainWindow::offerUnfinished);
  connect(&m_session.captures(), &CaptureList::snapshotReady, this, [this](const fs::path& file) {
    openBehind(file);
    openPaths({file});
  });
  connect(&m_session.captures(), &CaptureList::snapshotGone, this, [this](const fs::path& file) {
    if (const int old = tabOf(file); old >= 0) closeTab(old);
  });
}

int MainWindow::tabOf(const fs::path& path) const {
  for (int i = 0; i < m_tabs->count(); ++i) {
    const auto* page = qobject_cast<const ModelPage*>(m_tabs->widget(i));
    const auto* loading = qobject_cast<const LoadingPage*>(m_tabs->widget(i));
    const auto* missing = qobject_cast<const MissingPage*>(m_tabs->widget(i));
    if ((page && page->file() == path) || (loading && loading->file() == path) ||
        (missing && missing->file() == path))
      return i;
  }
  return -1;
}

void MainWindow::showOpening(const fs::path& path, JobHandle* handle) {
  auto* page = new LoadingPage(path, *handle, m_tabs);
  connect(page, &LoadingPage::retryRequested, this, [this, path] {
    closeTab(tabOf(path));
    openPaths({path});
  });
  const auto waiting = m_inPlaceOf.extract(path);
  const int old = waiting.empty() || !waiting.mapped() ? tabOf(path) : m_tabs->indexOf(waiting.mapped());
  insertTab(old, page, lineIcon(QStringLiteral("file")), path);
}

void MainWindow::openBehind(const fs::path& path) {
  m_behind.insert(normalPlace(path));
  offerTab(tr("%1 is finished.").arg(fileText(path.filename())), [this, path] { openPaths({path}); });
}

// Offers a new tab instead of showing it: the user may be working in the current one.
void MainWindow::offerTab(const QString& text, std::function<void()> show) {
  Message message;
  message.kind = Message::Kind::Good;
  message.text = text;
  message.actionTitle = tr("Show");
  message.action = std::move(show);
  m_message->show(message);
}

// Replaces the tab `index`, or appends a tab (-1).
int MainWindow::insertTab(int index, QWidget* page, const QIcon& icon, const fs::path& file) {
  const bool behind = m_behind.erase(file) > 0,
             inFront = index < 0 ? !behind : index == m_tabs->currentIndex();
  const int place =
      m_tabs->insertTab(index < 0 ? m_tabs->count() : index + 1, page, icon, fileText(file.stem()));
  m_tabs->setTabToolTip(place, plainTip(fileText(file)));
  if (inFront) m_tabs->setCurrentIndex(place);
  if (index >= 0) closeTab(index);
  return m_tabs->indexOf(page);
}

void MainWindow::showStudy(const fs::path& path, std::shared_ptr<const Study> study,
                           const ViewSelection& selection) {
  const int place = tabOf(path);
  const bool inFront = place < 0 || place == m_tabs->currentIndex();
  const StudyFacts facts = factsOf(*study);
  auto* page =
      new ModelPage({study, path, selection, m_session.notesOf(path)}, m_session.pageServices(), m_tabs);
  connectPanels(*page);
  connect(page, &ModelPage::rowsRequested, this, &MainWindow::rowsDialog);
  m_textLinks->add(page->model());
  connect(&page->notes(), &NotesDocument::savingFailed, this,
          [this, page](const QString& sentence) { sayOf(page, Message::Kind::Caution, sentence); });
  if (!page->notes().problem().empty())
    sayOf(page, Message::Kind::Caution, QString::fromStdString(page->notes().problem()));
  connect(&page->model(), &StudyModel::damageFound, this, [this, page] {
    sayOf(page, Message::Kind::Bad, QString::fromStdString(damageText(page->model().damage())));
  });
  const Table* heads = study->analysis->find("heads");
  if (selection.head && heads && !headRow(*heads, *selection.head))
    sayOf(page, Message::Kind::Caution,
          tr("%1 was not captured in %2.")
              .arg(QString::fromStdString(selection.head->text()), fileText(path.filename())));
  // Deferred until everything is displayed.
  connect(
      &page->model(), &StudyModel::settledNow, this,
      [this, path, page] { m_session.addIntervals(path, page->model().study()); }, Qt::SingleShotConnection);
  useLayoutOf(page);
  offerPicture(*page);
  const int index = m_tabs->insertTab(place < 0 ? m_tabs->count() : place + 1, page,
                                      captureIcon(QString::fromStdString(captureDigestOf(*study->analysis)),
                                                  QString::fromStdString(facts.architecture)),
                                      fileText(path.stem()));
  m_tabs->setTabToolTip(index,
                        plainTip(QString::fromStdString(study->title) + QLatin1Char('\n') + fileText(path)));
  if (inFront) {
    m_tabs->setCurrentIndex(index);
    // Not while the user types in a field.
    if (!qobject_cast<QLineEdit*>(focusWidget())) page->focusGrid();
  }
  if (place >= 0) {
    QWidget* loading = m_tabs->widget(place);
    m_tabs->removeTab(place);
    loading->deleteLater();
  }
  m_pending.erase(path);
  m_ids[path] = studyIdOf(*study);
  if (inFront) offerCapture(*page);
  restored(path);
  pageChanged();
  if (inFront && path == m_tourOf) beginTour();
}

void MainWindow::openPaths(const std::vector<fs::path>& given, const ViewSelection& asked) {
  ViewSelection selection = asked;
  if (asked.plasticity == ViewSelection().plasticity)
    selection.usePlasticity(m_session.settings().plasticity);
  std::vector<fs::path> paths;
  std::ranges::transform(given, std::back_inserter(paths), sessionOfLibrary);
  if (std::any_of(paths.begin(), paths.end(), mayBeFigure))
    m_reopener->open(paths, selection);
  else
    openFiles(paths, selection);
}

void MainWindow::openFiles(const std::vector<fs::path>& paths, const ViewSelection& selection) {
  std::vector<fs::path> fresh;
  for (const fs::path& path : paths) {
    if (publishedIdOf(pathText(path))) {  // it has no heads to open, but can be compared
      compareWithCurrent(path);
      continue;
    }
    QWidget* tab = m_tabs->widget(tabOf(normalPlace(path)));
    if (tab) m_tabs->setCurrentWidget(tab);
    const auto* loading = qobject_cast<LoadingPage*>(tab);
    const bool opening = loading && !loading->failed();
    if (!opening && !qobject_cast<ModelPage*>(tab)) fresh.push_back(path);
  }
  if (!fresh.empty()) m_session.open(fresh, selection);
}

void MainWindow::offerPicture(QWidget& page) {
  const bool ofHeads = qobject_cast<ModelPage*>(&page) || qobject_cast<ComparePage*>(&page);
  for (PlotView* view : page.findChildren<PlotView*>()) offerPicture(*view, ofHeads);
  if (auto* table = page.findChild<QTableView*>(QStringLiteral("headTable")))
    table->addActions({command("actionStar"), command("actionNote"), submenu("measure").menuAction()});
}

void MainWindow::offerPicture(PlotView& view, bool ofHeads) {
  view.addActions({command("actionCopy"), command("actionExport")});
  if (ofHeads) view.addAction(submenu("measure").menuAction());
}

// Hides the docks while a panel is maximised and restores them with their widths.
void MainWindow::giveRoom() {
  const bool wanted = currentPanels() && currentPanels()->hasMaximised();
  if (wanted == m_givenRoom.has_value()) return;
  if (wanted) {
    m_givenRoom.emplace();
    m_givenRoom->layout = saveState(kWindowLayoutVersion);
    for (PanelDock* dock : {m_libraryDock, m_detailsDock, m_helpDock, m_notesDock}) {
      if (dock->isHidden() || dock->isFloating()) continue;
      m_givenRoom->docks.append(dock);
      m_givenRoom->widths.append(dock->width());
    }
    for (QDockWidget* dock : m_givenRoom->docks) dock->hide();
    return;
  }
  const GivenRoom given = *std::exchange(m_givenRoom, std::nullopt);
  for (QDockWidget* dock : given.docks) dock->show();
  resizeDocks(given.docks, given.widths, Qt::Horizontal);
}

void MainWindow::connectPanels(PanelWindow& panels) {
  connect(&panels, &PanelWindow::layoutChanged, this, &MainWindow::saveSoon);
  connect(&panels, &PanelWindow::maximisedChanged, this, &MainWindow::giveRoom);
  connect(&panels, &PanelWindow::exportRequested, this, &MainWindow::exportDialog);
  connect(&panels, &PanelWindow::viewEntered, m_help, &HelpPanel::showView);
  for (PlotView* view : panels.findChildren<PlotView*>()) {
    if (qobject_cast<PlasticityMapView*>(view)) offerColours(*view, "map_colours");
    if (qobject_cast<HeadGridView*>(view)) offerColours(*view, "metric_colours");
    addMenuLine(*view);
    view->addActions({command("actionCopy"), command("actionExport"), command("actionToPage")});
  }
}

// Offers the colour map preference in the context menus of views that use it.
void MainWindow::offerColours(PlotView& view, const std::string& preference) {
  auto* menu = new QMenu(tr("Colours"), &view);
  menu->setObjectName(QStringLiteral("colours"));
  connect(menu, &QMenu::aboutToShow, this, [this, menu, preference] {
    menu->clear();
    AppSettings shown = m_session.settings();
    for (const Option& option : preferences(shown)) {
      if (option.key != preference) continue;
      for (const std::string& name : option.traits.words) {
        QAction* action = menu->addAction(QString::fromStdString(name));
        action->setCheckable(true);
        action->setChecked(textsOf(option).front() == name);
        connect(action, &QAction::triggered, this, [this, preference, name] {
          AppSettings changed = m_session.settings();
          for (const Option& each : preferences(changed))
            if (each.key == preference) setJson(each, name, preference);
          useSettings(changed);
        });
      }
    }
  });
  view.addAction(menu->menuAction());
}

void MainWindow::useLayoutOf(ModelPage* page) {
  if (const ModelPage* current = currentPage()) m_layout.modelPage = current->layoutState();
  if (!m_layout.modelPage.isEmpty()) page->restoreLayout(m_layout.modelPage);
}

void MainWindow::showFailure(const fs::path& path, const QString& sentence) {
  const int index = tabOf(path);
  const bool stopped = sentence.isEmpty();
  m_inPlaceOf.erase(path);
  if (index >= 0 && stopped) closeTab(index);
  if (!stopped) say(Message::Kind::Bad, sentence);
  const auto pending = m_pending.extract(path);
  if (!pending.empty() && !stopped) {
    std::error_code ignored;
    const bool gone = !fs::exists(path, ignored);
    showMissing(index, pending.mapped(), {gone ? whyMissing(path) : sentence, {}}, gone);
  }
  restored(path);
  Q_EMIT openingFailed(sentence);
}

void MainWindow::showModel(const LibraryEntry& entry) {
  m_library->select(entry.path);
  m_details->show(entry);
  refreshWelcome();
  Message message;
  message.text = tr("%1: %2. It was added to the library.").arg(entry.name, entry.summary);
  message.actionTitle = tr("Capture …");
  message.action = [this, path = entry.path] { captureDialog(path); };
  m_message->show(message);
}

void MainWindow::captureEnded(const CaptureEnd& end, const CaptureRequest& draft) {
  const QString name = fileText(draft.out.filename());
  if (end.kind == CaptureEnd::Kind::Done) return;  // reported when it is opened
  Message message;
  message.kind = end.kind == CaptureEnd::Kind::Stopped ? Message::Kind::Info : Message::Kind::Bad;
  message.text = QStringLiteral("%1: %2").arg(name, end.sentence);
  if (end.canResume) {
    message.actionTitle = tr("Resume");
    message.action = [this, draft] {
      CaptureRequest again = draft;
      again.fresh = false;
      m_session.captures().start(again);
    };
    message.otherTitle = tr("Discard …");
    message.other = [this, draft] { discardAfterAsking(m_session.captures(), draft, this); };
  }
  m_message->show(message);
}

void MainWindow::offerUnfinished() {
  const auto unfinished = m_session.captures().unfinished();
  if (unfinished.empty()) return;
  const UnfinishedCapture& first = unfinished.front();
  Message message;
  message.text = first.sentence();
  if (!first.runsElsewhere) {
    message.actionTitle = tr("Resume");
    message.action = [this, draft = first.draft] { m_session.captures().start(draft); };
    message.otherTitle = tr("Discard …");
    message.other = [this, draft = first.draft] { discardAfterAsking(m_session.captures(), draft, this); };
  }
  m_message->show(message);
}

void MainWindow::showWelcome() {
  if (!m_welcome) {
    m_welcome = new WelcomePage(m_tabs);
    connect(m_welcome, &WelcomePage::exampleRequested, this, &MainWindow::openExample);
    connect(m_welcome, &WelcomePage::openRequested, this, &MainWindow::openDialog);
    connect(m_welcome, &WelcomePage::captureRequested, this,
            [this](const fs::path& model) { captureDialog(model); });
    connect(m_welcome, &WelcomePage::pathChosen, this, [this](const fs::path& path) { openPaths({path}); });
    connect(m_welcome, &WelcomePage::sessionRequested, this, [this] { restoreSession(); });
    connect(m_welcome, &WelcomePage::helpRequested, this, [this] { m_helpDock->show(); });
    connect(m_welcome, &WelcomePage::tourRequested, this, &MainWindow::takeTour);
    connect(m_welcome, &WelcomePage::modelFolderRequested, this, [this] {
      const QString folder = QFileDialog::getExistingDirectory(this, tr("A folder that holds models"));
      if (folder.isEmpty()) return;
      m_session.settings().modelFolders.emplace_back(folder.toStdString());
      m_session.saveSettings();
      m_session.refreshLibrary();
    });
    m_tabs->insertTab(0, m_welcome, lineIcon(QStringLiteral("home")), tr("Welcome"));
    refreshWelcome();
    paintPreviews();
  }
  m_tabs->setCurrentWidget(m_welcome);
}

void MainWindow::closeTab(int index) {
  QWidget* page = m_tabs->widget(index);
  if (!page) return;
  if (auto* model = qobject_cast<ModelPage*>(page)) m_layout.modelPage = model->layoutState();
  if (auto* compare = qobject_cast<ComparePage*>(page); compare && compare->model().views())
    m_layout.comparePage = compare->panels().layoutState();
  m_tabs->removeTab(index);
  page->deleteLater();
  if (page == m_welcome) m_welcome = nullptr;
  if (m_tabs->count() == 0) showWelcome();
  saveSoon();
}

void MainWindow::currentTabChanged() {
  disconnect(m_pageConnection);
  if (m_tour && currentPage() != m_tourPage) m_tour->close();
  giveRoom();
  m_message->pageChanged(m_tabs->currentWidget());
  m_help->showPage(currentCompare()      ? QStringLiteral("compare")
                   : currentBenchmarks() ? QStringLiteral("benchmarks")
                   : currentThesis()     ? QStringLiteral("thesis")
                                         : QString());
  m_notes->follow(currentPage() ? &currentPage()->notes() : nullptr,
                  currentPage() ? &currentPage()->selection() : nullptr);
  if (ModelPage* page = currentPage()) {
    m_pageConnection = connect(&page->selection(), &Selection::changed, this, &MainWindow::pageChanged);
    m_library->select(page->file());
    if (const LibraryEntry* entry = m_session.entryOf(page->file()))
      m_details->show(*entry);
    else
      m_details->clear();
    setWindowTitle(tr("%1 – Plastiscope").arg(QString::fromStdString(page->study().title)));
  } else if (ComparePage* compare = currentCompare()) {
    m_pageConnection = connect(&compare->selection(), &Selection::changed, this, &MainWindow::pageChanged);
    setWindowTitle(tr("%1 – Plastiscope").arg(compare->title()));
  } else if (const auto* missing = qobject_cast<const MissingPage*>(m_tabs->currentWidget())) {
    m_library->select(missing->file());  // null: no details for a missing file
    m_details->clear();
    setWindowTitle(tr("%1 – Plastiscope").arg(fileText(missing->file().stem())));
  } else {
    setWindowTitle(tr("Plastiscope"));
  }
  pageChanged();
}

}  // namespace plastiscope
