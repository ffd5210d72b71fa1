#include "widgets/pages/capture_dialog.h"

#include <QClipboard>
#include <QComboBox>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFontDatabase>
#include <QFormLayout>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScreen>
#include <QTabWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "core/base/error.h"
#include "core/model/model.h"
#include "core/text/tokenizer.h"
#include "widgets/pages/advanced_form.h"
#include "widgets/pages/estimate_box.h"
#include "widgets/pages/plan_form.h"
#include "widgets/pages/texts_box.h"
#include "widgets/pages/token_preview.h"
#include "widgets/state/icons.h"

namespace fs = std::filesystem;

namespace plastiscope {
namespace {

constexpr QSize kSize(1220, 730);
constexpr QSize kAroundWindow(16, 40);  // frame and title of the window system
constexpr int kCommandHeight = 96;

QPushButton* button(const QString& text, QWidget* parent) {
  auto* result = new QPushButton(text, parent);
  result->setAutoDefault(false);
  return result;
}

}  // namespace

CaptureDialog::CaptureDialog(const std::vector<LibraryEntry>& models, fs::path folder, const QString& program,
                             Workers& workers, QWidget* parent)
    : QDialog(parent),
      m_models(models),
      m_folder(std::move(folder)),
      m_program(program),
      m_modelRelay(workers, WorkLength::Quick),
      m_estimate(program),
      m_model(new QComboBox(this)),
      m_modelNote(new QLabel(this)),
      m_hint(new QLabel(this)),
      m_texts(new TextsBox(workers, this)),
      m_plan(new PlanForm(this)),
      m_advanced(new AdvancedForm(this)),
      m_out(new QLineEdit(this)),
      m_preview(new TokenPreview(this)),
      m_estimateBox(new EstimateBox(this)),
      m_command(new QPlainTextEdit(this)),
      m_start(button(tr("Start capture"), this)) {
  setObjectName(QStringLiteral("captureDialog"));
  setWindowTitle(tr("New capture"));
  setAcceptDrops(true);
  resize(kSize.boundedTo(screen()->availableSize() - kAroundWindow));
  auto* columns = new QHBoxLayout;
  columns->setSpacing(18);
  columns->addLayout(buildLeft(), 56);
  columns->addLayout(buildRight(), 44);
  m_hint->setProperty("muted", true);
  m_hint->setObjectName(QStringLiteral("captureHint"));
  m_hint->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  QPushButton* cancel = button(tr("Cancel"), this);
  m_start->setObjectName(QStringLiteral("captureStart"));
  m_start->setDefault(true);
  auto* foot = new QHBoxLayout;
  foot->addWidget(m_hint, 1);
  foot->addWidget(cancel);
  foot->addWidget(m_start);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(18, 14, 18, 14);
  column->setSpacing(14);
  column->addLayout(columns, 1);
  column->addLayout(foot);

  connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
  connect(m_start, &QPushButton::clicked, this, &CaptureDialog::start);
  connect(m_model, &QComboBox::currentIndexChanged, this, &CaptureDialog::openModel);
  connect(m_texts, &TextsBox::changed, this, &CaptureDialog::textsChanged);
  connect(m_texts, &TextsBox::previewChanged, m_preview,
          qOverload<const QString&, const TextCount&>(&TokenPreview::show));
  connect(m_plan, &PlanForm::changed, this, &CaptureDialog::textsChanged);
  connect(m_advanced, &AdvancedForm::changed, this, &CaptureDialog::refresh);
  connect(m_advanced, &AdvancedForm::recordOptionsChanged, this, [this] {
    m_texts->setOptions(m_advanced->recordOptions());
    textsChanged();
  });
  connect(m_out, &QLineEdit::textEdited, this, [this] {
    m_outByHand = true;
    refresh();
  });
  connect(&m_estimate, &EstimateProcess::started, this,
          [this] { m_estimateBox->showWaiting(tr("Estimating …")); });
  connect(&m_estimate, &EstimateProcess::ready, m_estimateBox, &EstimateBox::showEstimate);
  connect(&m_estimate, &EstimateProcess::failed, m_estimateBox, &EstimateBox::showFailure);
  m_model->setCurrentIndex(m_model->count() > 0 ? 0 : -1);
  openModel();
}

QLayout* CaptureDialog::buildLeft() {
  m_model->setObjectName(QStringLiteral("captureModel"));
  m_model->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  m_model->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  m_model->blockSignals(true);
  for (const LibraryEntry& model : m_models) {
    m_model->addItem(familyIcon(model.architecture),
                     QStringLiteral("%1   (%2)").arg(model.name, model.summary),
                     QString::fromStdString(model.path.string()));
  }
  m_model->blockSignals(false);
  m_model->setPlaceholderText(tr("Choose a model"));
  QPushButton* browse = button(tr("Browse …"), this);
  connect(browse, &QPushButton::clicked, this, &CaptureDialog::browseModel);
  auto* modelRow = new QHBoxLayout;
  modelRow->addWidget(m_model, 1);
  modelRow->addWidget(browse);
  m_modelNote->setProperty("muted", true);
  m_modelNote->setWordWrap(true);
  auto* modelColumn = new QVBoxLayout;
  modelColumn->setSpacing(3);
  modelColumn->addLayout(modelRow);
  modelColumn->addWidget(m_modelNote);

  m_out->setObjectName(QStringLiteral("captureOut"));
  QPushButton* out = button(QStringLiteral("…"), this);
  out->setToolTip(tr("Choose where to save"));
  connect(out, &QPushButton::clicked, this, &CaptureDialog::browseOut);
  auto* outRow = new QHBoxLayout;
  outRow->addWidget(m_out, 1);
  outRow->addWidget(out);

  auto* form = new QFormLayout;
  form->setLabelAlignment(Qt::AlignRight | Qt::AlignTop);
  form->setFieldGrowthPolicy(QFormLayout::ExpandingFieldsGrow);
  form->setHorizontalSpacing(12);
  form->setVerticalSpacing(9);
  form->addRow(tr("Model"), modelColumn);
  form->addRow(tr("Texts"), m_texts);
  form->addRow(buildSettings());
  form->addRow(tr("Save as"), outRow);
  return form;
}

QWidget* CaptureDialog::buildSettings() {
  auto* tabs = new QTabWidget(this);
  tabs->setObjectName(QStringLiteral("captureSettings"));
  tabs->setDocumentMode(true);
  tabs->addTab(m_plan, tr("Settings"));
  tabs->addTab(m_advanced, tr("Advanced"));
  tabs->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
  return tabs;
}

QLayout* CaptureDialog::buildRight() {
  m_command->setObjectName(QStringLiteral("captureCommand"));
  m_command->setReadOnly(true);
  m_command->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
  m_command->setLineWrapMode(QPlainTextEdit::WidgetWidth);
  m_command->setWordWrapMode(QTextOption::WrapAnywhere);
  m_command->setFixedHeight(kCommandHeight);
  m_command->setFrameShape(QFrame::NoFrame);
  m_command->setStyleSheet(QStringLiteral("QPlainTextEdit { border: none; }"));
  auto* card = new QFrame(this);
  card->setProperty("card", QStringLiteral("true"));
  auto* title = new QLabel(tr("Command line"), card);
  title->setProperty("strong", true);
  auto* copy = new QPushButton(lineIcon(QStringLiteral("copy")), tr("Copy"), card);
  copy->setAutoDefault(false);
  copy->setProperty("small", true);
  connect(copy, &QPushButton::clicked, this,
          [this] { QGuiApplication::clipboard()->setText(m_command->toPlainText()); });
  auto* head = new QHBoxLayout;
  head->setContentsMargins(10, 5, 6, 3);
  head->addWidget(title);
  head->addStretch(1);
  head->addWidget(copy);
  auto* inner = new QVBoxLayout(card);
  inner->setContentsMargins(1, 1, 1, 1);
  inner->setSpacing(0);
  inner->addLayout(head);
  inner->addWidget(m_command);
  auto* column = new QVBoxLayout;
  column->setSpacing(10);
  column->addWidget(m_preview, 1);
  column->addWidget(m_estimateBox);
  column->addWidget(card);
  return column;
}

void CaptureDialog::chooseModel(const fs::path& model) {
  const QString text = QString::fromStdString(model.string());
  int index = m_model->findData(text);
  if (index < 0) {
    m_model->addItem(lineIcon(QStringLiteral("model")), QString::fromStdString(model.filename().string()),
                     text);
    index = m_model->count() - 1;
  }
  m_model->setCurrentIndex(index);
}

void CaptureDialog::chooseDevice(const std::string& device) {
  m_plan->chooseDevice(device);
}

void CaptureDialog::addTexts(const std::vector<fs::path>& paths) {
  m_texts->addPaths(paths);
}

void CaptureDialog::openModel() {
  m_spec.reset();
  m_modelProblem.clear();
  m_texts->setTokenizer(nullptr);
  m_plan->setModel({});
  m_advanced->setModel({});
  m_preview->setTokenizerText({});
  const fs::path path = m_model->currentData().toString().toStdString();
  if (path.empty()) {
    m_modelNote->setText(m_model->count() == 0
                             ? tr("No model was found on this computer; browse for a folder or a .gguf file.")
                             : QString());
    return refresh();
  }
  m_modelNote->setText(tr("Reading …"));
  m_modelRelay.start(
      [path](Progress&) {
        OpenedModel opened;
        opened.spec = readModelSpec(path);
        try {
          opened.tokenizer = openTokenizer(path);
        } catch (const Error& error) {
          opened.tokenizerProblem = QString::fromUtf8(error.what());
        }
        return opened;
      },
      [this](Outcome<OpenedModel> model) { takeModel(model); });
  refresh();
}

void CaptureDialog::takeModel(const Outcome<OpenedModel>& model) {
  if (!model.ok()) {
    m_modelProblem = model.failure.sentence;
    m_modelNote->setText(m_modelProblem);
    return refresh();
  }
  const ModelSpec& spec = model.value->spec;
  m_spec = spec;
  m_modelNote->setText(tr("%1 · %2 layers × %3 heads, %4 KV heads, size %5 · up to %6 tokens")
                           .arg(QString::fromStdString(spec.architecture))
                           .arg(spec.layerCount)
                           .arg(spec.queryHeads)
                           .arg(spec.keyHeads)
                           .arg(spec.headDim)
                           .arg(QString::fromStdString(withCommas(spec.contextLength))));
  m_preview->setTokenizerText(model.value->tokenizer
                                  ? QString::fromStdString(model.value->tokenizer->description())
                                  : model.value->tokenizerProblem);
  m_modelProblem = model.value->tokenizerProblem;
  m_plan->setModel(m_spec);
  m_advanced->setModel(m_spec);
  m_texts->setTokenizer(model.value->tokenizer);
  textsChanged();
}

void CaptureDialog::textsChanged() {
  m_plan->setTexts(m_texts->totals(0).longest, m_texts->totals(m_plan->effectiveWindow()).afterCut);
  m_texts->setWindow(m_plan->effectiveWindow());
  refresh();
}

CaptureDraft CaptureDialog::draft() const {
  CaptureDraft draft;
  draft.model = m_model->currentData().toString().toStdString();
  draft.plan = m_plan->plan();
  draft.out = m_out->text().toStdString();
  draft.corpus = m_texts->source().corpus(draft.out);
  m_advanced->addTo(draft);
  return draft;
}

QString CaptureDialog::missing() const {
  if (m_program.isEmpty()) return tr("plastiscope-cli was not found beside this program; captures need it.");
  if (!m_modelProblem.isEmpty()) return m_modelProblem;
  if (!m_spec) return tr("Choose a model.");
  if (!m_texts->source().problem().isEmpty()) return m_texts->source().problem();
  if (m_texts->totals(0).texts == 0) return tr("Choose at least one text.");
  for (const QString& problem : {m_plan->problem(), m_advanced->problem()}) {
    if (!problem.isEmpty()) return problem;
  }
  if (m_out->text().isEmpty()) return tr("Choose where to save the capture.");
  return {};
}

void CaptureDialog::refresh() {
  if (!m_outByHand && m_spec) {
    const QString model = m_model->currentText().section(QStringLiteral("   ("), 0, 0);
    m_out->setText(QString::fromStdString(
        (m_folder /
         suggestedCaptureName(model.toStdString(), m_texts->source().label(), m_plan->effectiveWindow()))
            .string()));
    m_out->setCursorPosition(0);
  }
  const CaptureDraft now = draft();
  m_command->setPlainText(captureCommandText(now));
  const QString lacking = missing();
  m_start->setEnabled(lacking.isEmpty());
  m_hint->setText(lacking.isEmpty()
                      ? tr("Finished texts can be viewed while it runs. Cancel keeps what is done.")
                      : lacking);
  m_hint->setToolTip(lacking);
  const QStringList arguments = captureArguments(now);
  if (!lacking.isEmpty() || !m_texts->source().readable()) {
    m_estimate.drop();
    m_estimated.clear();
    m_estimateBox->showWaiting(lacking.isEmpty() ? tr("Pasted text is estimated when the capture starts.")
                                                 : lacking);
  } else if (arguments != m_estimated && m_texts->source().counted()) {
    m_estimated = arguments;
    m_estimateBox->showWaiting(tr("Estimating …"));
    m_estimate.request(arguments);
  }
}

void CaptureDialog::start() {
  const CaptureDraft chosen = draft();
  try {
    m_texts->source().prepare(chosen.out);
  } catch (const Error& error) {
    m_hint->setText(QString::fromUtf8(error.what()));
    return;
  }
  m_estimate.drop();
  Q_EMIT startRequested(chosen);
  accept();
}

void CaptureDialog::browseModel() {
  const QString chosen =
      QFileDialog::getOpenFileName(this, tr("Choose a .gguf file, or config.json in a model folder"), {},
                                   tr("Models (*.gguf config.json);;All files (*)"));
  if (chosen.isEmpty()) return;
  const fs::path path = chosen.toStdString();
  chooseModel(path.filename() == "config.json" ? path.parent_path() : path);
}

void CaptureDialog::browseOut() {
  const QString chosen =
      QFileDialog::getSaveFileName(this, tr("Save the capture as"), m_out->text(), tr("Captures (*.h5)"));
  if (chosen.isEmpty()) return;
  m_outByHand = true;
  m_out->setText(chosen);
  refresh();
}

void CaptureDialog::dragEnterEvent(QDragEnterEvent* event) {
  if (event->mimeData()->hasUrls()) event->acceptProposedAction();
}

void CaptureDialog::dropEvent(QDropEvent* event) {
  std::vector<fs::path> texts;
  for (const QUrl& url : event->mimeData()->urls()) {
    const fs::path path = url.toLocalFile().toStdString();
    std::error_code ignored;
    if (path.extension() == ".gguf" || fs::exists(path / "config.json", ignored))
      chooseModel(path);
    else if (!path.empty())
      texts.push_back(path);
  }
  addTexts(texts);
}

}  // namespace plastiscope
