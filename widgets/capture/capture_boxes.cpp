#include "widgets/capture/capture_boxes.h"

#include <QComboBox>
#include <QFileDialog>
#include <QGridLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QStyle>
#include <QTextCursor>
#include <QTextEdit>
#include <algorithm>
#include <cmath>

#include "core/base/checked_json.h"
#include "core/base/error.h"
#include "core/base/json.h"
#include "core/model/model.h"
#include "widgets/jobs/job_handle.h"
#include "widgets/state/file_text.h"
#include "widgets/state/icons.h"
#include "widgets/state/small_widgets.h"
#include "widgets/state/theme.h"

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

// Without the weights where the native engine knows the family.
ModelSpec readSpec(const fs::path& model, const EngineOptions& engine, Progress& progress) {
  if (engine.kind != EngineKind::Transformers) {
    try {
      return readModelSpec(model);
    } catch (const InputError&) {
      if (engine.kind == EngineKind::Native) throw;
    }
  }
  return openWithEngine(model, engine, {}, false, progress).model->spec;
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

void ModelBox::useEngine(const EngineOptions& engine) {
  if (engine == m_engine) return;
  m_engine = engine;
  open();
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

void ModelBox::open() {
  m_spec.reset();
  m_tokenizer.reset();
  m_tokenizerText.clear();
  m_problem.clear();
  if (const fs::path model = path(); !model.empty()) {
    m_note->setText(tr("Reading …"));
    m_runner.start(
        [model, engine = m_engine,
         tokenizer = m_tokenizerFile.empty() ? model : m_tokenizerFile](Progress& progress) {
          Opened opened;
          opened.spec = readSpec(model, engine, progress);
          try {
            opened.tokenizer = openTokenizer(tokenizer);
          } catch (const Error& error) {
            opened.tokenizerProblem = sanitizedText(error.what());
          }
          return opened;
        },
        [this](JobResult<Opened> opened) { showOpened(opened); });
  } else {
    m_note->setText(m_model->count() == 0
                        ? tr("No model was found on this computer; browse for a folder or a .gguf file.")
                        : QString());
  }
  Q_EMIT changed();
}

void ModelBox::showOpened(const JobResult<Opened>& opened) {
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

// ---- token preview

TokenPreview::TokenPreview(QWidget* parent)
    : QFrame(parent),
      m_title(styledLabel(tr("Tokens"), "strong", this)),
      m_tokenizer(styledLabel({}, "muted", this)),
      m_count(styledLabel({}, "muted", this)),
      m_ratio(styledLabel({}, "muted", this)),
      m_unusual(named("tokenWarnings", styledLabel({}, "muted", this))),
      m_text(named("tokenPreview", new QTextEdit(this))) {
  setProperty("card", QStringLiteral("true"));
  m_tokenizer->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  m_tokenizer->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  m_text->setReadOnly(true);
  m_text->setTabChangesFocus(true);
  m_text->setAccessibleName(tr("Tokens of the text"));
  m_text->setFrameShape(QFrame::NoFrame);
  m_text->setStyleSheet(QStringLiteral("QTextEdit { border: none; }"));
  m_text->document()->setDocumentMargin(9);
  auto* head = rowOf({m_title, {m_tokenizer, 1}}, {.margins = {10, 7, 10, 5}});
  auto* foot = rowOf({m_count, Stretch(), m_ratio}, {.margins = {10, 4, 10, 7}});
  m_unusual->setWordWrap(true);
  m_unusual->setContentsMargins(10, 4, 10, 0);
  m_unusual->hide();
  columnIn(this, {head, {m_text, 1}, m_unusual, foot}, {.margins = {1, 1, 1, 1}, .spacing = 0});
}

void TokenPreview::setTokenizerText(const QString& description) {
  m_tokenizer->setText(description);
  m_tokenizer->setToolTip(plainTip(description));
}

void TokenPreview::setHint(const QString& hint) {
  m_text->setPlaceholderText(hint);
}

void TokenPreview::showText(const QString& name, const TextCount& count) {
  m_title->setText(tr("Tokens of %1").arg(name));
  m_text->clear();
  QTextCursor cursor(m_text->document());
  cursor.beginEditBlock();
  const ThemeColours& theme = currentTheme();
  QTextCharFormat format, next;
  format.setBackground(theme[QStringLiteral("token_one")]);
  next.setBackground(theme[QStringLiteral("token_two")]);
  for (const std::string& piece : count.pieces) {
    QString text = QString::fromStdString(piece);
    text.replace(QLatin1Char('\n'), QStringLiteral("↵"));
    text.replace(QLatin1Char('\t'), QStringLiteral("→"));
    cursor.insertText(text, format);
    std::swap(format, next);
  }
  if (count.moreTokens) cursor.insertText(QStringLiteral(" …"), QTextCharFormat());
  cursor.endEditBlock();
  m_text->moveCursor(QTextCursor::Start);
  const std::int64_t tokens = count.total();
  m_count->setText(tr("%1 tokens, %2 bytes").arg(groupedText(tokens), groupedText(count.characters)));
  QStringList warnings;
  for (const std::string& warning : count.unusual.warnings())
    warnings.append(QString::fromStdString(warning));
  m_unusual->setText(warnings.join(QLatin1Char('\n')));
  m_unusual->setVisible(!warnings.isEmpty());
  const double ratio = 1.0 * count.characters / tokens;
  m_ratio->setText(tokens > 0 ? tr("%1 bytes per token").arg(ratio, 0, 'f', 1) : QString());
}

// ---- estimate box

namespace {

QString roundedText(double value) {
  return groupedText(std::llround(value));
}
QString sizeText(double bytes) {
  return QString::fromStdString(byteText(static_cast<unsigned long long>(std::max(0.0, bytes))));
}

// Share for a bar of 1000 steps; shares above 0 are visible.
int barSteps(double part, double whole) {
  return whole > 0 ? static_cast<int>(std::clamp(1000 * part / whole, part > 0 ? 60.0 : 0.0, 1000.0)) : 0;
}

void setLook(QLabel* label, const char* look) {
  for (const char* each : {"good", "caution", "bad", "muted"})
    label->setProperty(each, qstrcmp(each, look) == 0);
  label->style()->unpolish(label);
  label->style()->polish(label);
}

}  // namespace

EstimateBox::EstimateBox(QWidget* parent)
    : QFrame(parent),
      m_grid(new QGridLayout),
      m_state(styledLabel({}, "muted", this)),
      m_verdict(named("estimateVerdict", new QLabel(this))) {
  setProperty("card", QStringLiteral("true"));
  auto* title = styledLabel(tr("Estimate"), "strong", this);
  m_verdict->setWordWrap(true);
  m_verdict->setMinimumHeight(m_verdict->fontMetrics().lineSpacing() * 2);
  m_verdict->setAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  m_grid->setHorizontalSpacing(16);
  m_grid->setVerticalSpacing(5);
  m_grid->setColumnStretch(3, 1);
  columnIn(this, {rowOf({title, Stretch(), m_state}), m_grid, m_verdict}, {.margins = {10, 7, 10, 7}});
  m_tokens = addLine(tr("Tokens"), false);
  m_time = addLine(tr("Time"), false);
  m_memory = addLine(tr("Memory"), true);
  m_card = addLine(tr("GPU"), true);
  m_disk = addLine(tr("Disk"), true);
  m_rows = addLine(tr("Rows"), false);
  showWaiting(tr("Choose a model and texts."));
}

EstimateBox::Line EstimateBox::addLine(const QString& name, bool withBar) {
  const int row = m_grid->count() == 0 ? 0 : m_grid->rowCount();
  Line line{styledLabel(name, "muted", this), styledLabel({}, "strong", this), styledLabel({}, "muted", this),
            nullptr};
  line.value->setMinimumWidth(84);
  m_grid->addWidget(line.name, row, 0);
  m_grid->addWidget(line.value, row, 1);
  m_grid->addWidget(line.remark, row, withBar ? 3 : 2, 1, withBar ? 1 : 2);
  if (!withBar) return line;
  line.bar = new QProgressBar(this);
  line.bar->setTextVisible(false);
  line.bar->setAccessibleName(name);
  line.bar->setRange(0, 1000);
  line.bar->setFixedWidth(96);
  m_grid->addWidget(line.bar, row, 2);
  return line;
}

void EstimateBox::Line::show(const QString& text, const QString& comment, int steps) {
  value->setText(text);
  remark->setText(comment);
  if (bar) bar->setValue(steps);
}

void EstimateBox::Line::setVisible(bool visible) {
  for (QWidget* part : std::initializer_list<QWidget*>{name, value, remark, bar}) part->setVisible(visible);
}

void EstimateBox::showSentence(const QString& sentence, const char* look) {
  m_card.setVisible(false);
  for (Line line : {m_tokens, m_time, m_memory, m_card, m_disk, m_rows}) line.show(QStringLiteral("–"), {});
  m_state->clear();
  m_verdict->setText(sentence);
  setLook(m_verdict, look);
}

void EstimateBox::showWaiting(const QString& sentence) {
  showSentence(sentence, "muted");
}

void EstimateBox::showFailure(const QString& sentence) {
  showSentence(sentence, "bad");
}

void EstimateBox::showEstimate(const Json& estimate) {
  const auto number = [&](const char* key) { return numberOr(estimate, key, 0); };
  const double texts = number("examples"), tokens = number("tokens_after_cut"), seconds = number("seconds");
  m_state->setText(tr("from a short probe of this computer"));
  m_tokens.show(roundedText(tokens), texts == 1 ? tr("1 text") : tr("%1 texts").arg(roundedText(texts)));
  m_time.show(durationText(seconds),
              seconds > 0 ? tr("at %1 tokens/s").arg(roundedText(tokens / seconds)) : QString());
  const double memory = number("memory_bytes"), limit = number("memory_limit");
  m_memory.show(sizeText(memory), tr("of %1 allowed").arg(sizeText(limit)), barSteps(memory, limit));
  const double card = number("card_bytes"), freeOnCard = number("card_free");
  m_card.setVisible(card > 0);
  m_card.show(sizeText(card), freeOnCard > 0 ? tr("of %1 free").arg(sizeText(freeOnCard)) : QString(),
              barSteps(card, freeOnCard));
  const double disk = number("disk_bytes"), freeDisk = number("free_disk");
  m_disk.show(sizeText(disk), tr("of %1 free").arg(sizeText(freeDisk)), barSteps(disk, freeDisk));
  if (estimate.contains("file_bytes")) {
    m_disk.remark->setText(tr("while it runs, %1 afterwards").arg(sizeText(number("file_bytes"))));
    m_disk.remark->setToolTip(tr("Peak use, while both the finished texts and the file are on disk; %1 free")
                                  .arg(sizeText(freeDisk)));
  }
  const double heads = number("heads");
  m_rows.show(roundedText(number("rows_per_head")),
              heads == 1 ? tr("queries and as many keys, 1 head")
                         : tr("queries and as many keys per head, %1 heads").arg(roundedText(heads)));
  const bool fits =
      !estimate.contains("fits") || !estimate["fits"].is_boolean() || estimate["fits"].get<bool>();
  const QString caution = QString::fromStdString(textOr(estimate, "caution"));
  const QString advice = QString::fromStdString(textOr(estimate, "advice"));
  const QString verdict = fits ? tr("✓ It fits.") : tr("It does not fit. %1").arg(advice);
  m_verdict->setText(caution.isEmpty() ? verdict : verdict + QLatin1Char(' ') + caution);
  setLook(m_verdict, fits && caution.isEmpty() ? "good" : "caution");
}

}  // namespace plastiscope

#include "moc_capture_boxes.cpp"
