#include "app/desktop/study_dialogs.h"

#include <QFileDialog>
#include <QMenu>
#include <algorithm>

#include "app/desktop/causes_dialog.h"
#include "app/desktop/measure_dialog.h"
#include "app/desktop/sweep_dialog.h"
#include "core/base/error.h"
#include "core/base/json.h"
#include "core/base/path_text.h"
#include "widgets/analysis/analysis_dialog.h"
#include "widgets/analysis/rows_dialog.h"
#include "widgets/capture/capture_dialog.h"
#include "widgets/jobs/capture_list.h"
#include "widgets/jobs/capture_process.h"
#include "widgets/pages/compare_page.h"
#include "widgets/pages/model_page.h"
#include "widgets/state/file_text.h"

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

}  // namespace

StudyDialogs::StudyDialogs(WindowTabs& tabs, FileTabs& files, Session& session, MessageBar& messages)
    : m_tabs(tabs), m_files(files), m_session(session), m_messages(messages) {
  connect(&session.captures, &CaptureList::ended, this, &StudyDialogs::captureEnded);
  connect(&session.captures, &CaptureList::found, this, &StudyDialogs::offerUnfinished);
}

std::vector<fs::path> StudyDialogs::askForStudies(const QString& title) {
  std::vector<fs::path> paths;
  for (const QString& file :
       QFileDialog::getOpenFileNames(m_tabs.window(), title, fileText(m_session.state.captureFolder()),
                                     tr("Captures and analyses (*.h5 *.hdf5)")))
    paths.emplace_back(file.toStdString());
  return paths;
}

void StudyDialogs::capture(const fs::path& model, const std::vector<fs::path>& texts) {
  // One dialog for the program's lifetime: reopened in its last state. Its settings are saved, its texts are
  // not.
  auto* dialog = m_tabs.window()->findChild<CaptureDialog*>(QString(), Qt::FindDirectChildrenOnly);
  if (dialog == nullptr) {
    StateFile file(m_session.state.folder() / "capture dialog.json", "plastiscope-capture-dialog", 1);
    dialog = new CaptureDialog(m_session.library.model().entries(EntryKind::Model),
                               m_session.state.captureFolder(), commandLineProgram(), m_session.workers,
                               m_tabs.window());
    connect(dialog, &CaptureDialog::startRequested, &m_session.captures, &CaptureList::start);
    connect(dialog, &QDialog::finished, this, [dialog, file]() mutable { keepSettings(*dialog, file); });
    connect(&m_session.library, &Library::modelsChanged, dialog,
            [this, dialog] { dialog->addModels(m_session.library.model().entries(EntryKind::Model)); });
    if (const Json kept = file.read(); kept.is_object()) dialog->restore(kept);
  }
  // A setting applies to new captures until another value is chosen here.
  const AppSettings& settings = m_session.state.settings();
  const QByteArray device = QByteArray::fromStdString(settings.device),
                   python = QByteArray::fromStdString(settings.python);
  if (dialog->property("settingsDevice") != device) dialog->chooseDevice(settings.device);
  if (dialog->property("settingsPython") != python) dialog->choosePython(settings.python);
  dialog->setProperty("settingsDevice", device);
  dialog->setProperty("settingsPython", python);
  dialog->setFolder(m_session.state.captureFolder());
  dialog->addModels(m_session.library.model().entries(EntryKind::Model));
  if (!model.empty()) dialog->chooseModel(model);
  if (!texts.empty()) dialog->replaceTexts(texts);
  dialog->open();
}

void StudyDialogs::analyse() {
  ModelPage* page = m_tabs.current<ModelPage>();
  if (page == nullptr) return;
  const Study& study = page->study();
  if (study.capture == nullptr) return m_files.offerCapture(*page);
  AnalysisSettings start = settingsOf(study);
  if (page->file() == study.capture->path()) {  // their intervals are not requested yet
    start.interval = AnalysisSettings().interval;
    start.jackknifeGroups = AnalysisSettings().jackknifeGroups;
  }
  auto* dialog = new AnalysisDialog(study.capture, start, m_session.workers,
                                    m_session.state.settings().threads, m_tabs.window());
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &AnalysisDialog::startRequested, this,
          [this, capture = study.capture, earlier = study.analysis, shown = page->selection().value()](
              const AnalysisSettings& settings, const fs::path& out) {
            ViewSelection selection = shown;
            selection.rows.reset();
            m_session.studyJobs.analyze({capture, settings, out, earlier}, selection);
          });
  dialog->open();
}

void StudyDialogs::chooseRows() {
  ModelPage* page = m_tabs.current<ModelPage>();
  if (page == nullptr) return;
  if (page->whole()->capture == nullptr) return m_files.offerCapture(*page);
  if (!rowChoiceOf(settingsOf(*page->whole()->analysis)).all())
    return m_messages.sayOf(
        page, Message::Kind::Info,
        tr("This analysis was made from some rows of its capture: open the capture to choose others."));
  auto* dialog = new RowsDialog(page->whole()->capture, page->selection().value().rowChoice, m_tabs.window());
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &RowsDialog::chosen, page,
          [page](const RowChoice& choice) { page->selection().setRowChoice(choice); });
  dialog->open();
}

void StudyDialogs::measure(const MeasurementKind& kind) {
  if (ModelPage* page = m_tabs.current<ModelPage>()) {
    const ViewSelection& now = page->selection().value();
    measure(kind, PointedHead{page->whole(), now.head, now.several});
  } else if (const ComparePage* compare = m_tabs.current<ComparePage>()) {
    if (const auto pointed = compare->model().pointed()) measure(kind, *pointed);
  }
}

void StudyDialogs::measure(const MeasurementKind& kind, const PointedHead& start) {
  const auto& [study, head, several] = start;
  if (study->capture == nullptr) {
    if (ModelPage* page = m_tabs.current<ModelPage>()) return m_files.offerCapture(*page);
    return m_messages.sayOf(m_tabs.currentWidget(), Message::Kind::Caution,
                            tr("Only the analysis of %1 was found: a measurement needs its capture.")
                                .arg(QString::fromStdString(study->title)));
  }
  if (kind.ofHead && !head)
    return m_messages.sayOf(m_tabs.currentWidget(), Message::Kind::Caution, tr("Choose a head first."));
  const std::optional<fs::path> model = modelOf(*study);
  if (!model) return;
  const auto changed = !several.empty() ? several : head ? std::vector{*head} : std::vector<HeadName>();
  auto* dialog =
      new MeasureDialog(kind, {study, changed, *model, m_session.state.captureFolder()}, m_tabs.window());
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &MeasureDialog::startRequested, this,
          [this, study = start.study, place = *model](const CaptureChange& change, const fs::path& out) {
            m_session.studyJobs.measure({study, change, place, out});
          });
  connect(dialog, &MeasureDialog::studyRequested, &m_session.studyJobs, &StudyJobs::findCauses);
  const auto& kinds = measurementKinds();
  const auto loss = std::ranges::find(kinds, Intervention::OnlyLoss, &MeasurementKind::kind);
  connect(dialog, &MeasureDialog::lossRequested, this, [this, loss, start] { measure(*loss, start); });
  dialog->open();
}

void StudyDialogs::findCauses() {
  ModelPage* page = m_tabs.current<ModelPage>();
  if (page == nullptr) return;
  const auto study = page->whole();
  if (study->capture == nullptr) return m_files.offerCapture(*page);
  const std::optional<fs::path> model = modelOf(*study);
  if (!model) return;
  ViewSelection view = page->selection().value();
  view.rows.reset();
  auto* dialog = new CausesDialog({study, view, *model, m_session.state.captureFolder()}, m_tabs.window());
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &CausesDialog::startRequested, &m_session.studyJobs, &StudyJobs::findCauses);
  dialog->open();
}

void StudyDialogs::sweep() {
  auto* dialog = new SweepDialog(m_session.library.model().entries(EntryKind::Model),
                                 m_session.state.captureFolder(), m_tabs.window());
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &SweepDialog::startRequested, &m_session.studyJobs, &StudyJobs::runSweep);
  dialog->open();
}

// A new sweep, and those whose file lies beside a known folder: the same command continues them.
void StudyDialogs::fillSweeps(QMenu& menu) {
  menu.clear();
  connect(menu.addAction(tr("New sweep …")), &QAction::triggered, this, &StudyDialogs::sweep);
  std::error_code ignored;
  for (const fs::path& folder : m_session.state.captureFolders()) {
    const SweepStart start{folder, {}};
    if (!fs::is_regular_file(start.file(), ignored)) continue;
    QAction* action = menu.addAction(tr("Continue %1").arg(fileText(folder.filename())));
    action->setToolTip(plainTip(fileText(start.file())));
    connect(action, &QAction::triggered, this, [this, start] { m_session.studyJobs.runSweep(start); });
  }
}

std::optional<fs::path> StudyDialogs::modelOf(const Study& study) {
  const std::string& source = study.capture->info().modelSource;
  const auto models = m_session.library.model().entries(EntryKind::Model);
  const auto model = std::ranges::find_if(
      models, [&](const LibraryEntry& entry) { return pathText(entry.path.filename()) == source; });
  if (model != models.end()) return model->path;
  m_messages.show({.kind = Message::Kind::Caution,
                   .text = tr("The model %1 was not found on this computer. Open it, then try again.")
                               .arg(QString::fromStdString(source)),
                   .actionTitle = tr("Open the model …"),
                   .action = [this] { Q_EMIT modelRequested(); },
                   .page = m_tabs.currentWidget()});
  return std::nullopt;
}

void StudyDialogs::exportTables() {
  ModelPage* page = m_tabs.current<ModelPage>();
  if (!page) return;
  const QString folder = QFileDialog::getExistingDirectory(m_tabs.window(), tr("A folder for the tables"));
  if (!folder.isEmpty()) m_session.studyJobs.exportTables(page->study().analysis, folder.toStdString());
}

void StudyDialogs::exportPage() {
  ModelPage* page = m_tabs.current<ModelPage>();
  if (!page) return;
  const QString file = QFileDialog::getSaveFileName(m_tabs.window(), tr("The page of this study"),
                                                    fileText(page->file().stem()) + QStringLiteral(".html"),
                                                    tr("Web pages (*.html)"));
  if (!file.isEmpty())
    m_session.studyJobs.exportPage(page->model().study(), file.toStdString(),
                                   page->selection().value().plasticity);
}

void StudyDialogs::offerResuming(Message message, const CaptureRequest& draft) {
  message.actionTitle = tr("Resume");
  message.action = [this, draft] { m_session.captures.start(draft); };
  message.otherTitle = tr("Discard …");
  message.other = [this, draft] { discardAfterAsking(m_session.captures, draft, m_tabs.window()); };
  m_messages.show(message);
}

void StudyDialogs::captureEnded(const CaptureEnd& end, const CaptureRequest& draft) {
  if (end.kind == CaptureEnd::Kind::Done) return;  // reported when it is opened
  Message message;
  message.kind = end.kind == CaptureEnd::Kind::Stopped ? Message::Kind::Info : Message::Kind::Bad;
  message.text = QStringLiteral("%1: %2").arg(fileText(draft.out.filename()), end.sentence);
  if (!end.canResume) return m_messages.show(message);
  CaptureRequest again = draft;
  again.fresh = false;
  offerResuming(message, again);
}

void StudyDialogs::offerUnfinished() {
  const auto unfinished = m_session.captures.unfinished();
  if (unfinished.empty()) return;
  const UnfinishedCapture& first = unfinished.front();
  const Message message{.text = first.sentence()};
  first.runsElsewhere ? m_messages.show(message) : offerResuming(message, first.draft);
}

}  // namespace plastiscope

#include "moc_study_dialogs.cpp"
