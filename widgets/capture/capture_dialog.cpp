#include "widgets/capture/capture_dialog.h"

#include <QDragEnterEvent>
#include <QFormLayout>
#include <cctype>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/jobs/capture_again.h"
#include "widgets/capture/capture_boxes.h"
#include "widgets/capture/capture_form.h"
#include "widgets/capture/texts_box.h"
#include "widgets/forms/dialog_parts.h"
#include "widgets/state/file_text.h"
#include "widgets/state/small_widgets.h"

namespace fs = std::filesystem;

namespace plastiscope {
namespace {

constexpr QSize kSize(1220, 730);

// "a 2.h5" if "a.h5" exists: a suggestion never replaces an existing capture.
fs::path unusedName(const fs::path& file) {
  std::error_code ignored;
  fs::path name = file;
  for (int number = 2; fs::exists(name, ignored); ++number)
    name.replace_filename(file.stem().string() + ' ' + std::to_string(number) + file.extension().string());
  return name;
}

}  // namespace

std::string suggestedCaptureName(const std::string& model, const std::string& texts, std::int64_t window) {
  constexpr std::string_view kEnding = ".gguf";
  const bool file = model.ends_with(kEnding);
  std::string name = model.substr(0, model.size() - (file ? kEnding.size() : 0)) + " " + texts;
  if (window > 0) name += " " + windowText(window).toStdString();
  std::string result;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    const bool kept = std::isalnum(byte) || byte >= 0x80 || c == '-' || c == '_' || c == '.' || c == ' ';
    result += kept ? static_cast<char>(std::tolower(byte)) : '-';
  }
  while (!result.empty() && (result.front() == '.' || result.front() == ' ')) result.erase(result.begin());
  return (result.empty() ? "capture" : result) + ".h5";
}

CaptureDialog::CaptureDialog(const std::vector<LibraryEntry>& models, fs::path folder, const QString& program,
                             Workers& workers, QWidget* parent)
    : QDialog(parent),
      m_folder(std::move(folder)),
      m_program(program),
      m_estimate(program),
      m_model(new ModelBox(models, workers, this)),
      m_texts(new TextsBox(workers, this)),
      m_settings(new CaptureForm(this)),
      m_out(new SaveBox({tr("File of the capture; unfinished work is saved beside it"),
                         tr("Save the capture as"), tr("Captures (*.h5)")},
                        this)),
      m_preview(new TokenPreview(this)),
      m_estimateBox(new EstimateBox(this)),
      m_command(new CommandBox(tr("Copy the command line; it captures the same without the window"), this)),
      m_buttons(new DialogButtons(
          {QStringLiteral("capture"), tr("&Start capture"), {}, tr("Close without capturing (Esc)")}, this)) {
  setObjectName(QStringLiteral("captureDialog"));
  setWindowTitle(tr("New capture"));
  setAcceptDrops(true);
  resizeOnScreen(*this, kSize);
  auto* right = columnOf({{m_preview, 1}, m_estimateBox, m_command}, {.spacing = 10});
  auto* columns = rowOf({{buildForm(), 56}, {right, 44}}, {.spacing = 18});
  columnIn(this, {{columns, 1}, m_buttons}, {.margins = {18, 14, 18, 14}, .spacing = 14});
  connectParts();
  modelChanged();
}

QLayout* CaptureDialog::buildForm() {
  auto* form = new QFormLayout;
  form->setLabelAlignment(Qt::AlignRight | Qt::AlignTop);
  form->setFieldGrowthPolicy(QFormLayout::ExpandingFieldsGrow);
  form->setHorizontalSpacing(12);
  form->setVerticalSpacing(9);
  form->addRow(tr("&Model"), m_model);
  form->addRow(tr("&Texts"), m_texts);
  form->addRow(m_settings);
  form->addRow(tr("Save &as"), m_out);
  return form;
}

void CaptureDialog::connectParts() {
  connect(m_buttons, &DialogButtons::startRequested, this, &CaptureDialog::start);
  connect(m_model, &ModelBox::changed, this, &CaptureDialog::modelChanged);
  connect(m_texts, &TextsBox::changed, this, &CaptureDialog::textsChanged);
  connect(m_texts, &TextsBox::previewChanged, m_preview, &TokenPreview::showText);
  connect(m_settings, &CaptureForm::changed, this, &CaptureDialog::textsChanged);
  connect(m_settings, &CaptureForm::recordOptionsChanged, this, [this] {
    m_texts->setOptions(m_settings->request().corpus);
    textsChanged();
  });
  connect(m_out, &SaveBox::changed, this, &CaptureDialog::refresh);
  connect(&m_estimate, &EstimateProcess::started, this,
          [this] { m_estimateBox->showWaiting(tr("Estimating …")); });
  connect(&m_estimate, &EstimateProcess::ready, m_estimateBox, &EstimateBox::showEstimate);
  connect(&m_estimate, &EstimateProcess::failed, this, &CaptureDialog::estimateFailed);
}

void CaptureDialog::chooseModel(const fs::path& model) {
  m_model->choose(model);
}

void CaptureDialog::chooseDevice(const std::string& device) {
  m_settings->chooseDevice(device);
}

void CaptureDialog::choosePython(const std::string& python) {
  m_settings->choosePython(python);
}

void CaptureDialog::addTexts(const std::vector<fs::path>& paths) {
  m_texts->addPaths(paths);
}

void CaptureDialog::replaceTexts(const std::vector<fs::path>& paths) {
  m_texts->clearFiles();
  addTexts(paths);
}

void CaptureDialog::addModels(const std::vector<LibraryEntry>& models) {
  m_model->add(models);
}

Json CaptureDialog::settings() const {
  CaptureRequest request = m_settings->request();
  request.model = m_model->path();
  if (!m_settings->rateByHand()) request.plan.rate = CapturePlan().rate;  // follows the texts
  return request.toJson();
}

void CaptureDialog::restore(const Json& settings) {
  try {
    const CaptureRequest draft = CaptureRequest::fromJson(settings);
    std::error_code ignored;
    if (!draft.model.empty() && fs::exists(draft.model, ignored)) m_model->choose(draft.model);
    m_settings->setRequest(draft);
  } catch (const Error&) {
    // of another version of the program: the dialog keeps its standard settings
  }
}

void CaptureDialog::modelChanged() {
  m_preview->setTokenizerText(m_model->tokenizerText());
  m_settings->setModel(m_model->spec());
  m_texts->setTokenizer(m_model->tokenizer());
  textsChanged();
}

void CaptureDialog::textsChanged() {
  const CaptureRequest& settings = m_settings->request();
  m_model->useTokenizer(settings.tokenizer);
  m_model->useEngine({settings.engine, settings.python});
  m_settings->setTexts(m_texts->totals(0).longest, m_texts->totals(m_settings->effectiveWindow()).afterCut);
  m_texts->setWindow(m_settings->effectiveWindow());
  refresh();
}

CaptureRequest CaptureDialog::draft() const {
  CaptureRequest draft = m_settings->request();
  draft.model = m_model->path();
  draft.out = m_out->file();
  draft.corpus = m_texts->source().corpus(draft.out);
  return draft;
}

QString CaptureDialog::missing() const {
  if (m_program.isEmpty()) return tr("plastiscope-cli was not found beside this program; captures need it.");
  if (!m_model->problem().isEmpty()) return m_model->problem();
  if (!m_model->spec()) return tr("Choose a model.");
  if (!m_texts->source().problem().isEmpty()) return m_texts->source().problem();
  if (m_texts->totals(0).texts == 0) return tr("Choose at least one text.");
  if (const QString problem = m_settings->problem(); !problem.isEmpty()) return problem;
  return m_out->file().empty() ? tr("Choose where to save the capture.") : QString();
}

QString CaptureDialog::previewHint() const {
  const bool model = !m_model->path().empty();
  const bool text = !m_texts->source().corpus(m_folder / "x.h5").files.empty();
  if (model && text) return tr("Counting tokens …");
  return model  ? tr("Choose a text to see its tokens")
         : text ? tr("Choose a model to see the tokens of the text")
                : tr("Choose a model and a text to see its tokens");
}

void CaptureDialog::refresh() {
  if (m_model->spec()) {
    fs::path name = suggestedCaptureName(m_model->name().toStdString(), m_texts->source().label(),
                                         m_settings->effectiveWindow());
    if (const std::string change = changeName(m_settings->request().plan); !change.empty())
      name.replace_extension("." + change + ".h5");
    m_out->suggest(unusedName(m_folder / name));
  }
  m_preview->setHint(previewHint());
  const CaptureRequest now = draft();
  CaptureRequest shown = now;
  if (shown.model.empty()) shown.model = "MODEL";  // not chosen yet
  m_command->setCommand(QStringLiteral("capture"), captureArguments(shown));
  const QString lacking = missing();
  const bool asked = m_estimated == estimateArguments(now);
  if (!lacking.isEmpty() || !asked || m_refusal.isEmpty()) {
    m_refusal.clear();
    allowStart(lacking);
  }
  estimate(now, lacking);
}

void CaptureDialog::allowStart(const QString& lacking) {
  m_buttons->showState(lacking,
                       tr("Finished texts can be viewed while it runs. Cancel keeps finished work."));
}

void CaptureDialog::estimateFailed(const QString& sentence, bool refused) {
  m_estimateBox->showFailure(sentence);
  if (!refused) return;
  m_refusal = sentence;
  allowStart(sentence);
}

QStringList CaptureDialog::estimateArguments(CaptureRequest draft) const {
  draft.corpus = m_texts->source().readableCorpus(draft.out);
  return captureArguments(draft);
}

void CaptureDialog::showEvent(QShowEvent* event) {
  QDialog::showEvent(event);
  m_estimated.clear();  // memory and disk may have changed since the last opening
  m_refusal.clear();
  refresh();
}

void CaptureDialog::estimate(const CaptureRequest& draft, const QString& lacking) {
  if (!lacking.isEmpty()) {
    m_estimate.drop();
    m_estimated.clear();
    return m_estimateBox->showWaiting(tr("No estimate yet"));  // the reason is shown below
  }
  const QStringList arguments = estimateArguments(draft);
  if (arguments == m_estimated || !m_texts->source().counted()) return;
  m_estimated = arguments;
  m_estimateBox->showWaiting(tr("Estimating …"));
  m_estimate.request(arguments);
}

void CaptureDialog::start() {
  const CaptureRequest chosen = draft();
  try {
    m_texts->source().prepare(chosen.out);
  } catch (const Error& error) {
    m_buttons->say(sanitizedText(error.what()));
    return;
  }
  m_estimate.drop();
  Q_EMIT startRequested(chosen);
  m_out->forget();
  accept();
}

void CaptureDialog::dragEnterEvent(QDragEnterEvent* event) {
  acceptFiles(*event);
}

void CaptureDialog::dropEvent(QDropEvent* event) {
  std::vector<fs::path> texts;
  for (const fs::path& path : takeFiles(*event)) {
    std::error_code ignored;
    if (path.extension() == ".gguf" || fs::exists(path / "config.json", ignored))
      chooseModel(path);
    else
      texts.push_back(path);
  }
  addTexts(texts);
}

}  // namespace plastiscope

#include "moc_capture_dialog.cpp"
