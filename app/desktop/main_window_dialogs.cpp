// The dialogs that begin something: open, capture, analyse.
#include <QFileDialog>

#include "app/desktop/main_window.h"
#include "core/base/error.h"
#include "core/base/json.h"
#include "widgets/analysis/analysis_dialog.h"
#include "widgets/capture/capture_dialog.h"
#include "widgets/jobs/child_program.h"
#include "widgets/pages/model_page.h"
#include "widgets/state/file_text.h"
#include "widgets/state/state_file.h"

namespace fs = std::filesystem;

namespace plastiscope {

namespace {

// Those of the analysis, as they would be given; the standard ones when it does not say.
AnalysisSettings settingsOf(const Study& study) {
  try {
    AnalysisSettings settings = AnalysisSettings::fromJson(study.analysis->provenance.settings);
    if (settings.mapCell == study.capture->info().bucketSize) settings.mapCell = 0;
    return settings;
  } catch (const UsageError&) {
    return {};
  }
}

// What cannot be kept is only filled in again.
void keepSettings(const CaptureDialog& dialog, StateFile& file) {
  try {
    file.write(dialog.settings());
  } catch (const Error&) {
  }
}

}  // namespace

void MainWindow::openDialog() {
  const QStringList files = QFileDialog::getOpenFileNames(
      this, tr("Open"), fileText(m_session.captureFolder()),
      tr("Captures, analyses and models (*.h5 *.hdf5 *.gguf config.json);;Sessions (*.json);;Exported "
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
  // One dialog for as long as the program runs: opened again it is as it was left. Its settings outlive the
  // program, its texts do not.
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
  // The setting counts for new captures until another device is chosen here.
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
  if (page->file() == study.capture->path()) {  // whose intervals nobody has asked for
    start.interval = AnalysisSettings().interval;
    start.jackknifeGroups = AnalysisSettings().jackknifeGroups;
  }
  auto* dialog = new AnalysisDialog(study.capture->path(), start, this);
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

}  // namespace plastiscope
