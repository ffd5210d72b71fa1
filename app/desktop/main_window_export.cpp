// Export and copy of what the window shows, and the figures that were exported.
#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QFileInfo>
#include <QMimeData>
#include <QTabWidget>

#include "app/desktop/figure_reopener.h"
#include "app/desktop/main_window.h"
#include "widgets/export/export_dialog.h"
#include "widgets/export/prepared_figure.h"
#include "widgets/pages/benchmarks_page.h"
#include "widgets/pages/compare_page.h"
#include "widgets/pages/model_page.h"
#include "widgets/state/file_text.h"

namespace plastiscope {

namespace {

QStringList filesOf(const Studies& studies) {
  QStringList files;
  for (const auto& study : studies) files.append(QString::fromStdString(study->file));
  return files;
}

// What a figure was exported with, for the head and metric that are chosen now.
void useExported(ExportStart& start, const std::optional<FigureSpec>& exported) {
  if (!exported) return;
  const FigureSpec tab = std::exchange(start.figure, *exported);
  start.asExported = true;
  if (start.figure.scope.head && tab.scope.head) start.figure.scope.head = tab.scope.head;
  if (!start.figure.metric.empty() && start.figure.metrics().size() == 1 && !tab.metric.empty())
    start.figure.metric = tab.metric;
}

}  // namespace

void MainWindow::buildReopener() {
  m_reopener = std::make_unique<FigureReopener>(
      *this, m_session,
      [this](const std::vector<std::filesystem::path>& files, const ViewSelection& selection) {
        openFiles(files, selection);
      });
  connect(m_reopener.get(), &FigureReopener::said, this,
          [this](const Message& message) { m_message->show(message); });
  connect(m_reopener.get(), &FigureReopener::failed, this, [this](const QString& sentence) {
    say(Message::Kind::Bad, sentence);
    Q_EMIT openingFailed(sentence);
  });
}

void MainWindow::exportTables() {
  ModelPage* page = currentPage();
  if (!page) return;
  const QString folder = QFileDialog::getExistingDirectory(this, tr("A folder for the tables"));
  if (!folder.isEmpty()) m_session.exportTables(page->study().analysis, folder.toStdString());
}

ExportStart MainWindow::exportStartOf(ModelPage& page) {
  ExportStart start;
  start.studies = {page.model().study()};
  start.files = {fileText(page.file())};
  start.figure.figure = page.currentFigure().toStdString();
  start.figure.scope.head = page.selection().value().head;
  start.figure.metric = page.selection().value().metric;
  useExported(start, m_reopener->figureOf(&page, page.currentFigure()));
  return start;
}

ExportStart MainWindow::exportStartOf(ComparePage& page) {
  const CompareChoices& choices = page.model().choices();
  ExportStart start;
  start.studies = page.model().studies();
  start.files = filesOf(start.studies);
  start.figure.figure = page.currentFigure().toStdString();
  if (choices.ofHead) start.figure.scope.head = page.selection().value().head;
  if (page.figureShowsMetric()) start.figure.metric = page.selection().value().metric;
  if (choices.tokens) start.figure.axis = PositionAxis::Tokens;
  start.figure.published = choices.published;
  start.figure.intervals = choices.intervals;
  useExported(start, m_reopener->figureOf(&page, page.currentFigure()));
  return start;
}

ExportStart MainWindow::exportStartOf(BenchmarksPage& page) {
  const BenchmarkChoices& choices = page.model().choices();
  ExportStart start;
  start.studies = page.model().studies();
  start.files = filesOf(start.studies);
  start.figure.figure = "benchmark";
  start.figure.scores = choices.scores;
  start.figure.group = choices.group;
  start.figure.metric = choices.predictor;
  useExported(start, m_reopener->figureOf(&page, QStringLiteral("benchmark")));
  return start;
}

std::optional<ExportStart> MainWindow::exportStart() {
  if (ModelPage* page = currentPage()) return exportStartOf(*page);
  if (ComparePage* compare = currentCompare(); compare && compare->model().views())
    return exportStartOf(*compare);
  if (BenchmarksPage* benchmarks = currentBenchmarks(); benchmarks && benchmarks->model().data())
    return exportStartOf(*benchmarks);
  return std::nullopt;
}

void MainWindow::exportDialog() {
  if (const auto start = exportStart()) showExport(*start);
}

void MainWindow::exportPublished(const FigureSpec& figure) {
  ExportStart start;
  start.figure = figure;
  start.asExported = true;
  showExport(start);
}

void MainWindow::showExport(ExportStart start) {
  start.screenDpi = m_session.settings().screenDpi;
  auto* dialog = new ExportDialog(start, this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &ExportDialog::screenDpiChanged, this, [this](double dpi) {
    m_session.settings().screenDpi = dpi;
    m_session.saveSettings();
  });
  connect(dialog, &ExportDialog::exported, this, [this](const QStringList& files) {
    const QString text = files.size() > 6 ? tr("%1 files were written into %2")
                                                .arg(files.size())
                                                .arg(QFileInfo(files.front()).absolutePath())
                                          : tr("Written: %1").arg(files.join(QStringLiteral(", ")));
    say(Message::Kind::Good, text, 8000);
  });
  dialog->open();
}

// The figure of the view as picture, vectors and numbers; a view that has none as it stands on the screen.
void MainWindow::copyPicture() {
  const auto start = exportStart();
  if (!start) return;
  QPixmap seen;
  if (ModelPage* page = currentPage()) seen = page->currentPicture();
  if (ComparePage* page = currentCompare()) seen = page->currentPicture();
  if (BenchmarksPage* page = currentBenchmarks()) seen = page->currentPicture();
  m_copyRelay.start(
      [studies = start->studies, spec = start->figure](Progress&) {
        const FigureSpec own = fitToKind(spec, figureKind(spec.figure));
        return PreparedFigure{own, prepareFigure(studies, own)};
      },
      [this, seen](Outcome<PreparedFigure> figure) {
        if (figure.stopped()) return;
        if (figure.ok())
          QApplication::clipboard()->setMimeData(clipboardData(*figure.value));
        else
          QApplication::clipboard()->setPixmap(seen);
        say(Message::Kind::Good,
            figure.ok() ? tr("Copied: the picture as PNG, SVG and PDF, and its numbers as CSV.")
                        : tr("Copied as it stands on the screen. %1").arg(figure.failure.sentence),
            5000);
      });
}

}  // namespace plastiscope
