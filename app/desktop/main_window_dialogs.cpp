// Dialogs of the window: open, capture, analyse, export; and copying and exporting of views.
#include <QApplication>
#include <QClipboard>
#include <QDesktopServices>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QTabWidget>
#include <QUrl>

#include "app/desktop/figure_reopener.h"
#include "app/desktop/main_window.h"
#include "app/desktop/measure_dialog.h"
#include "app/desktop/thesis_page.h"
#include "core/base/error.h"
#include "core/base/json.h"
#include "core/base/path_text.h"
#include "core/compare/compare_matrix.h"
#include "widgets/analysis/analysis_dialog.h"
#include "widgets/analysis/rows_dialog.h"
#include "widgets/capture/capture_dialog.h"
#include "widgets/export/export_dialog.h"
#include "widgets/export/figure_panels.h"
#include "widgets/export/figure_renderer.h"
#include "widgets/jobs/capture_process.h"
#include "widgets/pages/benchmarks_page.h"
#include "widgets/pages/compare_page.h"
#include "widgets/pages/model_page.h"
#include "widgets/panels/row_tables.h"
#include "widgets/state/file_text.h"
#include "widgets/state/state_file.h"

namespace fs = std::filesystem;

namespace plastiscope {

namespace {

// Settings of the analysis as given by a user; the defaults if it has none.
AnalysisSettings settingsOf(const Study& study) {
  try {
    AnalysisSettings settings = AnalysisSettings::fromJson(study.analysis->provenance.settings);
    if (settings.mapCell == study.capture->info().bucketSize) settings.mapCell = 0;
    return settings;
  } catch (const UsageError&) {
    return {};
  }
}

// Errors are ignored: settings that are not saved are entered again.
void keepSettings(const CaptureDialog& dialog, StateFile& file) {
  try {
    file.write(dialog.settings());
  } catch (const Error&) {
  }
}

QStringList filesOf(const Studies& studies) {
  QStringList files;
  for (const auto& study : studies) files.append(QString::fromStdString(study->file));
  return files;
}

// Copies the text, its first token, and its colouring.
void copyText(FigureSpec& to, const FigureSpec& from) {
  to.text = from.text;
  to.query = from.query;
  to.firstToken = from.firstToken;
  to.tokenColour = from.tokenColour;
  to.tokenRows = from.tokenRows;
}

// Uses the options of an exported figure with the current head and metric.
void useExported(ExportStart& start, const std::optional<FigureSpec>& exported) {
  if (!exported) return;
  const FigureSpec tab = std::exchange(start.figure, *exported);
  start.asExported = true;
  start.figure.looks = tab.looks;  // captures may have been added, removed or moved since
  if (start.figure.scope.head && tab.scope.head) start.figure.scope.head = tab.scope.head;
  if (!start.figure.metric.empty() && start.figure.metrics().size() == 1 && !tab.metric.empty())
    start.figure.metric = tab.metric;
  copyText(start.figure, tab);
}

}  // namespace

std::vector<fs::path> MainWindow::askForStudies(const QString& title) {
  std::vector<fs::path> paths;
  for (const QString& file : QFileDialog::getOpenFileNames(this, title, fileText(m_session.captureFolder()),
                                                           tr("Captures and analyses (*.h5 *.hdf5)")))
    paths.emplace_back(file.toStdString());
  return paths;
}

void MainWindow::openDialog() {
  const QStringList files = QFileDialog::getOpenFileNames(
      this, tr("Open"), fileText(m_session.captureFolder()),
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

void MainWindow::captureDialog(const fs::path& model, const std::vector<fs::path>& texts) {
  // One dialog for the program's lifetime: reopened in its last state. Its settings are saved, its texts are
  // not.
  auto* dialog = findChild<CaptureDialog*>(QString(), Qt::FindDirectChildrenOnly);
  if (dialog == nullptr) {
    StateFile file(m_session.folder() / "capture dialog.json", "plastiscope-capture-dialog", 1);
    dialog = new CaptureDialog(m_session.library().entries(EntryKind::Model), m_session.captureFolder(),
                               commandLineProgram(), m_session.workers(), this);
    connect(dialog, &CaptureDialog::startRequested, &m_session.captures(), &CaptureList::start);
    connect(dialog, &QDialog::finished, this, [dialog, file]() mutable { keepSettings(*dialog, file); });
    connect(&m_session, &Session::modelsChanged, dialog,
            [this, dialog] { dialog->addModels(m_session.library().entries(EntryKind::Model)); });
    if (const Json kept = file.read(); kept.is_object()) dialog->restore(kept);
  }
  // The setting applies to new captures until another device is chosen here.
  const QByteArray device = QByteArray::fromStdString(m_session.settings().device);
  if (dialog->property("settingsDevice") != device) dialog->chooseDevice(device.toStdString());
  dialog->setProperty("settingsDevice", device);
  dialog->setFolder(m_session.captureFolder());
  dialog->addModels(m_session.library().entries(EntryKind::Model));
  if (!model.empty()) dialog->chooseModel(model);
  if (!texts.empty()) dialog->replaceTexts(texts);
  dialog->open();
}

void MainWindow::analysisDialog() {
  ModelPage* page = currentPage();
  if (page == nullptr) return;
  const Study& study = page->study();
  if (study.capture == nullptr) return offerCapture(*page);
  AnalysisSettings start = settingsOf(study);
  if (page->file() == study.capture->path()) {  // their intervals are not requested yet
    start.interval = AnalysisSettings().interval;
    start.jackknifeGroups = AnalysisSettings().jackknifeGroups;
  }
  auto* dialog =
      new AnalysisDialog(study.capture, start, m_session.workers(), m_session.settings().threads, this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &AnalysisDialog::startRequested, this,
          [this, capture = study.capture, earlier = study.analysis, shown = page->selection().value()](
              const AnalysisSettings& settings, const fs::path& out) {
            ViewSelection selection = shown;
            selection.rows.reset();
            m_session.analyze({capture, settings, out, earlier}, selection);
          });
  dialog->open();
}

void MainWindow::rowsDialog() {
  ModelPage* page = currentPage();
  if (page == nullptr) return;
  if (page->whole()->capture == nullptr) return offerCapture(*page);
  if (!rowChoiceOf(settingsOf(*page->whole()->analysis)).all())
    return sayOf(
        page, Message::Kind::Info,
        tr("This analysis was made from some rows of its capture: open the capture to choose others."));
  auto* dialog = new RowsDialog(page->whole()->capture, page->selection().value().rowChoice, this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &RowsDialog::chosen, page,
          [page](const RowChoice& choice) { page->selection().setRowChoice(choice); });
  dialog->open();
}

std::optional<PointedHead> MainWindow::measurable() const {
  if (ModelPage* page = currentPage()) return PointedHead{page->whole(), page->selection().value().head};
  const ComparePage* compare = currentCompare();
  return compare ? compare->model().pointed() : std::nullopt;
}

// Measures the effect of a change on later layers and predictions by capturing the texts again.
void MainWindow::measure(const MeasurementKind& kind) {
  if (const auto start = measurable()) measure(kind, *start);
}

void MainWindow::measure(const MeasurementKind& kind, const PointedHead& start) {
  const auto& [study, head] = start;
  if (study->capture == nullptr) {
    if (ModelPage* page = currentPage()) return offerCapture(*page);
    return sayOf(m_tabs->currentWidget(), Message::Kind::Caution,
                 tr("Only the analysis of %1 was found: a measurement needs its capture.")
                     .arg(QString::fromStdString(study->title)));
  }
  if (kind.ofHead && !head)
    return sayOf(m_tabs->currentWidget(), Message::Kind::Caution, tr("Choose a head first."));
  const std::string& source = study->capture->info().modelSource;
  const auto models = m_session.library().entries(EntryKind::Model);
  const auto model = std::ranges::find_if(
      models, [&](const LibraryEntry& entry) { return pathText(entry.path.filename()) == source; });
  if (model == models.end()) {
    Message message;
    message.kind = Message::Kind::Caution;
    message.text = tr("The model %1 was not found on this computer. Open it, then try again.")
                       .arg(QString::fromStdString(source));
    message.actionTitle = tr("Open the model …");
    message.action = [this] { openDialog(); };
    message.page = m_tabs->currentWidget();
    return m_message->show(message);
  }
  auto* dialog = new MeasureDialog(kind, {study, head, model->path, m_session.captureFolder()}, this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &MeasureDialog::startRequested, this,
          [this, study = start.study, place = model->path](const CaptureChange& change, const fs::path& out) {
            m_session.measure({study, change, place, out});
          });
  const auto& kinds = measurementKinds();
  const auto loss = std::ranges::find(kinds, Intervention::OnlyLoss, &MeasurementKind::kind);
  connect(dialog, &MeasureDialog::lossRequested, this, [this, loss, start] { measure(*loss, start); });
  dialog->open();
}

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

void MainWindow::exportPage() {
  ModelPage* page = currentPage();
  if (!page) return;
  const QString file = QFileDialog::getSaveFileName(this, tr("The page of this study"),
                                                    fileText(page->file().stem()) + QStringLiteral(".html"),
                                                    tr("Web pages (*.html)"));
  if (!file.isEmpty())
    m_session.exportPage(page->model().study(), file.toStdString(), page->selection().value().plasticity);
}

namespace {

// Options of the matrix of a compare tab.
void useMatrix(FigureSpec& figure, const CompareChoices& choices) {
  for (const char* row : namesOf(MatrixRow())) {
    if (!choices.hiddenRows.contains(row)) figure.rows.emplace_back(row);
  }
  if (choices.hiddenRows.empty()) figure.rows.clear();
  figure.differences.assign(choices.differences.begin(), choices.differences.end());
  figure.ofHead = choices.ofHead;
  if (choices.matching == "name") figure.matching = HeadMatching::SameHead;
  if (choices.matching == "depth") figure.matching = HeadMatching::RelativeDepth;
}

// Looks of captures in a compare tab; empty if a file would get the same looks by default.
std::vector<int> givenLooks(const Comparison& comparison) {
  std::vector<ComparedName> names, plain;
  for (const ComparedModel& model : comparison.models) {
    names.push_back(comparedName(model));
    plain.push_back(names.back());
    plain.back().look.reset();
  }
  const auto looks = captureLooks(names);
  std::vector<int> given;
  for (const auto& look : looks) given.push_back(look.value_or(0));
  return looks == captureLooks(plain) ? std::vector<int>() : given;
}

// The visible text and the query of the shown scores, which may be in another text.
void useText(FigureSpec& figure, const StudyModel& model) {
  const std::vector<std::string>& texts = model.facts().exampleIds;
  const auto idOf = [&texts](std::int64_t example) {
    return texts.size() > 1 ? texts.at(static_cast<std::size_t>(example)) : std::string();
  };
  const auto query = queryToken(model);
  const auto& shown = model.shownText();
  if (figure.figure == "keys" && query) figure.text = idOf(query->example);
  if (figure.figure == "text" && shown) {
    figure.text = idOf(shown->example);
    figure.firstToken = shown->first;
    figure.tokenColour = shown->measure;
    if (shown->measure != TokenMeasure::Score) figure.tokenRows = shown->coloured;
  }
  if (query && (figure.figure == "keys" || (shown && query->example == shown->example)))
    figure.query = query->position;
}

}  // namespace

std::optional<ExportStart> MainWindow::exportStart() {
  ExportStart start;
  FigureSpec& figure = start.figure;
  QString shown;  // figure of the current view
  if (ModelPage* page = currentPage()) {
    start.studies = {page->model().study()};
    start.files = {fileText(page->file())};
    shown = page->currentFigure();
    figure.scope.head = page->selection().value().head;
    figure.metric = page->selection().value().metric;
    figure.scope.several = page->selection().value().several;
    figure.colour = page->selection().value().rowColour;
    figure.gridOrder = page->selection().value().order;
    if (figure.gridOrder != HeadOrder::Similar) figure.gridShow = page->selection().value().show;
    if (shown == QLatin1String("head-metrics")) {
      const HeadAxes& axes = page->selection().value().axes;
      figure.metric = axes.y;
      figure.against = axes.x;
      figure.colourMetric = axes.colour;
    }
  } else if (ComparePage* compare = currentCompare(); compare && compare->model().views()) {
    const CompareChoices& choices = compare->model().choices();
    const ViewSelection& selection = compare->selection().value();
    start.studies = compare->model().studies();
    start.files = filesOf(start.studies);
    shown = compare->currentFigure();
    figure.looks = givenLooks(*compare->model().views()->comparison);
    if (shown == QLatin1String("drift") || shown.endsWith(QLatin1String("-difference"))) {
      const auto against = std::min(compare->model().views()->against, start.studies.size() - 1);
      start.studies = {start.studies.front(), start.studies[against]};
      figure.looks.clear();
      start.files = filesOf(start.studies);
    }
    if (choices.ofHead || !choices.charts) figure.scope.head = selection.head;
    if (compare->figureShowsMetric()) figure.metric = compare->model().views()->metric;
    if (!choices.charts) useMatrix(figure, choices);
    if (choices.tokens) figure.axis = PositionAxis::Tokens;
    figure.published = choices.published;
    figure.commonHeads = std::ranges::any_of(compare->model().views()->comparison->models,
                                             [](const auto& model) { return model.analysis != model.whole; });
    figure.intervals = choices.intervals;
  } else if (BenchmarksPage* benchmarks = currentBenchmarks(); benchmarks && benchmarks->model().data()) {
    const BenchmarkChoices& choices = benchmarks->model().choices();
    start.studies = benchmarks->model().studies();
    start.files = filesOf(start.studies);
    shown = QStringLiteral("benchmark");
    figure.scores = choices.scores;
    figure.group = choices.group;
    figure.metric = choices.predictor;
  } else if (const ThesisPage* thesis = currentThesis(); thesis && thesis->isDrawn()) {
    start.asExported = true;
    figure.figure = thesis->figure();
    return start;
  } else {
    return std::nullopt;
  }
  if (const Selection* selection = currentSelection()) figure.plasticity = selection->value().plasticity;
  figure.figure = shown.toStdString();
  if (ModelPage* page = currentPage()) useText(figure, page->model());
  useExported(start, m_reopener->figureOf(m_tabs->currentWidget(), shown));
  return start;
}

void MainWindow::exportDialog() {
  if (const auto start = exportStart()) showExport(*start);
}

// One panel for each added view, with the captures of all views.
void MainWindow::addToFigurePage() {
  auto start = exportStart();
  if (!start || start->studies.size() != 1) return;
  start->figure.scope.several.clear();  // a panel shows one head, a layer or all heads
  const FigureSpec panel = fitToKind(start->figure, figureKind(start->figure.figure));
  m_figurePage.push_back({start->studies.front(), start->files.front(), panel});
  Message message;
  message.kind = Message::Kind::Good;
  message.text = tr("%1: panel %2 of the figure page")
                     .arg(QString::fromStdString(partText(panel)))
                     .arg(m_figurePage.size());
  message.hideAfterMilliseconds = 15000;
  message.actionTitle = tr("Figure page …");
  message.action = [this] { openFigurePage(); };
  m_message->show(message);
}

void MainWindow::openFigurePage() {
  if (m_figurePage.empty())
    return say(Message::Kind::Good,
               tr("The figure page has no views yet. \"Add the view to the figure page\" (Ctrl+Shift+E) adds "
                  "the view in front."),
               kGoodNewsMilliseconds);
  ExportStart start;
  for (const FigurePanel& panel : m_figurePage) {
    const auto known = std::ranges::find(start.studies, panel.study);
    const auto number = known - start.studies.begin() + 1;
    if (known == start.studies.end()) {
      start.studies.push_back(panel.study);
      start.files.push_back(panel.file);
    }
    start.figure.parts.push_back(partText(panel.spec) + ":" + std::to_string(number));
    if (figureKind(panel.spec.figure).takes("text")) copyText(start.figure, panel.spec);
  }
  start.figure.figure = kPageFigure;
  start.figure.width = FigureWidth::Full;
  start.asExported = true;
  showExport(start);
}

void MainWindow::exportPublished(const FigureSpec& figure) {
  ExportStart start;
  start.figure = figure;
  start.asExported = true;
  showExport(start);
}

void MainWindow::showExport(ExportStart start) {
  start.screenDpi = m_session.settings().screenDpi;
  auto* dialog = new ExportDialog(start, m_session.workers(), this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &ExportDialog::screenDpiChanged, this, [this](double dpi) {
    m_session.settings().screenDpi = dpi;
    m_session.saveSettings();
  });
  const bool isPage = start.figure.figure == kPageFigure;
  connect(dialog, &ExportDialog::exported, this, [this, isPage](const QStringList& files) {
    if (isPage) m_figurePage.clear();  // the next view starts a new one
    const QString folder = QFileInfo(files.front()).absolutePath();
    QStringList names;
    for (const QString& file : files) names.append(QFileInfo(file).fileName());
    Message message;
    message.kind = Message::Kind::Good;
    message.text = files.size() > 6 ? tr("%1 files were written to %2").arg(files.size()).arg(folder)
                                    : tr("Written to %1: %2").arg(folder, names.join(QStringLiteral(", ")));
    message.hideAfterMilliseconds = 15000;
    message.actionTitle = tr("Open folder");
    message.action = [folder] { QDesktopServices::openUrl(QUrl::fromLocalFile(folder)); };
    m_message->show(message);
  });
  dialog->open();
}

// Copies the figure of the view as image, vectors and numbers; a view without a figure as on the screen.
void MainWindow::copyPicture() {
  const auto start = exportStart();
  if (!start) return;
  QPixmap seen;
  if (const PanelWindow* panels = currentPanels()) seen = panels->currentPicture();
  if (BenchmarksPage* page = currentBenchmarks()) seen = page->currentPicture();
  if (const ThesisPage* page = currentThesis()) seen = page->currentPicture();
  m_copyRunner.start(
      [studies = start->studies, spec = start->figure](Progress&) {
        const FigureSpec own = fitToKind(spec, figureKind(spec.figure));
        return PreparedFigure{own, prepareFigure(studies, own)};
      },
      [this, seen](JobResult<PreparedFigure> figure) {
        if (figure.stopped()) return;
        if (figure.ok())
          QApplication::clipboard()->setMimeData(clipboardData(*figure.value));
        else
          QApplication::clipboard()->setPixmap(seen);
        say(Message::Kind::Good,
            figure.ok() ? tr("Copied: the picture as PNG, SVG and PDF, and its numbers as CSV.")
                        : tr("Copied as shown on the screen. %1").arg(figure.failure.sentence),
            5000);
      });
}

}  // namespace plastiscope
