#include "widgets/capture/model_box.h"

#include <QComboBox>
#include <QFileDialog>
#include <QLabel>
#include <QPushButton>

#include "core/base/error.h"
#include "core/model/model.h"
#include "core/text/tokenizer.h"
#include "widgets/state/file_text.h"
#include "widgets/state/icons.h"
#include "widgets/state/small_widgets.h"

namespace fs = std::filesystem;

namespace plastiscope {
namespace {

const QString kBeforeSummary = QStringLiteral("   (");

QString shapeText(const ModelSpec& spec) {
  return ModelBox::tr("%1 · %2 layers × %3 heads, %4 KV heads, size %5 · up to %6 tokens")
      .arg(QString::fromStdString(spec.architecture))
      .arg(spec.layerCount)
      .arg(spec.queryHeads)
      .arg(spec.keyHeads)
      .arg(spec.headDim)
      .arg(groupedText(spec.contextLength));
}

}  // namespace

struct ModelBox::Opened {
  ModelSpec spec;
  std::shared_ptr<const Tokenizer> tokenizer;
  QString tokenizerProblem;
};

ModelBox::ModelBox(const std::vector<LibraryEntry>& models, Workers& workers, QWidget* parent)
    : QWidget(parent),
      m_runner(workers, WorkLength::Quick),
      m_model(named("captureModel", new QComboBox(this))),
      m_note(styledLabel({}, "muted", this)) {
  explain(*m_model, tr("Model"), tr("The models found on this computer"));
  m_model->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  m_model->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  m_model->setPlaceholderText(tr("Choose a model"));
  add(models);
  auto* other = new QPushButton(tr("&Browse …"), this);
  other->setAutoDefault(false);
  other->setToolTip(tr("Another model: a .gguf file, or config.json in a model folder"));
  m_note->setWordWrap(true);
  auto* row = rowOf({{m_model, 1}, other});
  columnIn(this, {row, m_note}, {.margins = {}, .spacing = 3});
  setFocusProxy(m_model);
  connect(m_model, &QComboBox::currentIndexChanged, this, &ModelBox::open);
  connect(other, &QPushButton::clicked, this, &ModelBox::browse);
  open();
}

void ModelBox::add(const std::vector<LibraryEntry>& models) {
  for (const LibraryEntry& model : models) {
    const QString path = fileText(model.path);
    if (m_model->findData(path) < 0)
      m_model->addItem(familyIcon(model.architecture), model.name + kBeforeSummary + model.summary + ')',
                       path);
  }
  if (m_model->currentIndex() < 0 && m_model->count() > 0) m_model->setCurrentIndex(0);
}

void ModelBox::choose(const fs::path& model) {
  const QString text = fileText(model);
  int index = m_model->findData(text);
  if (index < 0) {
    m_model->addItem(lineIcon(QStringLiteral("model")), fileText(model.filename()), text);
    index = m_model->count() - 1;
  }
  m_model->setCurrentIndex(index);
}

void ModelBox::useTokenizer(const fs::path& file) {
  if (file == m_tokenizerFile) return;
  m_tokenizerFile = file;
  open();
}

fs::path ModelBox::path() const {
  return fileOfText(m_model->currentData().toString());
}

QString ModelBox::name() const {
  return m_model->currentText().section(kBeforeSummary, 0, 0);
}

QString ModelBox::problem() const {
  return m_problem;
}

void ModelBox::open() {
  m_spec.reset();
  m_tokenizer.reset();
  m_tokenizerText.clear();
  m_problem.clear();
  if (const fs::path model = path(); !model.empty()) {
    m_note->setText(tr("Reading …"));
    m_runner.start(
        [model, tokenizer = m_tokenizerFile.empty() ? model : m_tokenizerFile](Progress&) {
          Opened opened;
          opened.spec = readModelSpec(model);
          try {
            opened.tokenizer = openTokenizer(tokenizer);
          } catch (const Error& error) {
            opened.tokenizerProblem = sanitizedText(error.what());
          }
          return opened;
        },
        [this](JobResult<Opened> opened) { take(opened); });
  } else {
    m_note->setText(m_model->count() == 0
                        ? tr("No model was found on this computer; browse for a folder or a .gguf file.")
                        : QString());
  }
  Q_EMIT changed();
}

void ModelBox::take(const JobResult<Opened>& opened) {
  if (opened.ok()) {
    m_spec = opened.value->spec;
    m_tokenizer = opened.value->tokenizer;
    m_problem = opened.value->tokenizerProblem;
    m_tokenizerText = m_tokenizer ? QString::fromStdString(m_tokenizer->description()) : m_problem;
    m_note->setText(shapeText(*m_spec));
  } else {
    m_problem = opened.failure.sentence;
    m_note->setText(m_problem);
  }
  Q_EMIT changed();
}

void ModelBox::browse() {
  const QString chosen =
      QFileDialog::getOpenFileName(this, tr("Choose a .gguf file, or config.json in a model folder"), {},
                                   tr("Models (*.gguf config.json);;All files (*)"));
  if (chosen.isEmpty()) return;
  const fs::path file = chosen.toStdString();
  choose(file.filename() == "config.json" ? file.parent_path() : file);
}

}  // namespace plastiscope

#include "moc_model_box.cpp"
