// Tabs with several captures: comparisons, benchmarks, the figures of the thesis.
#include <QFileDialog>
#include <QTabWidget>
#include <set>

#include "app/desktop/main_window.h"
#include "app/desktop/thesis_page.h"
#include "core/views/study_facts.h"
#include "widgets/compare/add_captures.h"
#include "widgets/export/thesis_figures.h"
#include "widgets/models/library_entry.h"
#include "widgets/pages/benchmarks_page.h"
#include "widgets/pages/compare_page.h"
#include "widgets/pages/help_panel.h"
#include "widgets/pages/model_page.h"
#include "widgets/state/file_text.h"
#include "widgets/state/icons.h"
#include "widgets/state/small_widgets.h"

namespace fs = std::filesystem;

namespace plastiscope {

ComparePage* MainWindow::openComparison(const SessionTab& start, bool inFront) {
  auto* page = new ComparePage(start, m_session.workers(), m_session.jobs(), m_tabs);
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
    saveSoon();
  });
  connect(page, &ComparePage::viewMade, this, [this](PlotView* view) { offerPicture(*view, true); });
  connectPanels(page->panels());
  offerPicture(*page);
  if (!m_layout.comparePage.isEmpty()) page->panels().restoreLayout(m_layout.comparePage);
  connect(page, &ComparePage::complained, this,
          [this, page](const QString& sentence) { sayOf(page, Message::Kind::Caution, sentence); });
  connect(page, &ComparePage::addRequested, this, [this, page](QWidget* button) {
    auto* popup = new AddCaptures(addable(*page), CompareModel::kMaximum - page->model().size(), page);
    connect(popup, &AddCaptures::chosen, page, &ComparePage::add);
    connect(popup, &AddCaptures::filesRequested, this,
            [this, page] { page->add(askForStudies(tr("Add to the comparison"))); });
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
    for (const LibraryEntry& entry : m_session.library().entries(kind)) {
      if (!isNew(entry.path)) continue;
      captures.push_back({group, entry.path, entry.name, entry.note, entry.summary,
                          captureIcon(entry.digest, entry.architecture)});
    }
  }
  return captures;
}

void MainWindow::openBenchmarks(const SessionTab& start) {
  for (int i = 0; i < m_tabs->count(); ++i) {
    auto* open = qobject_cast<BenchmarksPage*>(m_tabs->widget(i));
    if (!open) continue;
    m_tabs->setCurrentIndex(i);
    return open->add(start.compared);
  }
  auto* page = new BenchmarksPage(start, m_session.workers(), m_session.jobs(), m_tabs);
  offerPicture(*page);
  connect(page, &BenchmarksPage::changed, this, &MainWindow::saveSoon);
  connect(page, &BenchmarksPage::viewEntered, m_help, &HelpPanel::showView);
  connect(page, &BenchmarksPage::complained, this,
          [this, page](const QString& sentence) { sayOf(page, Message::Kind::Bad, sentence); });
  connect(page, &BenchmarksPage::scoresRequested, this, [this, page] {
    const QString file =
        QFileDialog::getOpenFileName(this, tr("Scores: a table with the columns model and score"),
                                     fileText(m_session.captureFolder()), tr("Tables (*.csv)"));
    if (!file.isEmpty()) page->add({file.toStdString()});
  });
  connect(page, &BenchmarksPage::addRequested, this,
          [this, page] { page->add(askForStudies(tr("Add own captures and analyses"))); });
  m_tabs->setCurrentIndex(m_tabs->addTab(page, lineIcon(QStringLiteral("chart")), tr("Benchmarks")));
  pageChanged();
}

void MainWindow::openThesis(const std::string& id) {
  ThesisPage* page = nullptr;
  for (int i = 0; i < m_tabs->count() && page == nullptr; ++i)
    page = qobject_cast<ThesisPage*>(m_tabs->widget(i));
  if (page == nullptr) {
    page = new ThesisPage(m_session.workers(), m_tabs);
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
  start.selection.usePlasticity(m_session.settings().plasticity);
  if (ModelPage* page = currentPage()) {
    start.selection = page->selection().value();
    start.compared.push_back(page->file());
  }
  if (!file.empty()) start.compared.push_back(file);
  openComparison(start);
}

}  // namespace plastiscope
