#include "widgets/capture/advanced_form.h"

#include <QCheckBox>
#include <QFileDialog>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <limits>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/capture/head_choice.h"
#include "widgets/forms/form_line.h"
#include "widgets/state/file_text.h"

namespace plastiscope {
namespace {

constexpr int kMostMemory = 16 << 20;  // MiB

std::string textOf(const QLineEdit* field) {
  return field->text().trimmed().toStdString();
}

// Null when nothing is given. InputError.
Json ropeOf(const QLineEdit* field) {
  const std::string text = textOf(field);
  return text.empty() ? Json() : parseJson(text, "RoPE override");
}

QLineEdit* line(const char* name, const QString& placeholder, const QString& tip, QWidget* parent) {
  auto* field = new QLineEdit(parent);
  field->setObjectName(QString::fromLatin1(name));
  field->setPlaceholderText(placeholder);
  field->setToolTip(tip);
  return field;
}

QSpinBox* number(const char* name, int least, int most, const QString& special, const QString& tip,
                 QWidget* parent) {
  auto* box = new QSpinBox(parent);
  box->setObjectName(QString::fromLatin1(name));
  box->setRange(least, most);
  box->setSpecialValueText(special);
  box->setGroupSeparatorShown(true);
  box->setToolTip(tip);
  return box;
}

}  // namespace

AdvancedForm::AdvancedForm(QWidget* parent)
    : QWidget(parent),
      m_headSeed(number("captureHeadSeed", 0, std::numeric_limits<int>::max(), {},
                        tr("Seed of the random choice of heads"), this)),
      m_sampleSeed(number("captureSampleSeed", -1, std::numeric_limits<int>::max(), tr("the author's"),
                          tr("Seed of the positions; without one the author's masks result, bit for bit"),
                          this)),
      m_memory(number("captureMemory", 0, kMostMemory, tr("80 % of free"),
                      tr("Most memory that the capture may take; layers are read from disk when the weights "
                         "do not fit"),
                      this)),
      m_most(number("captureMost", 0, std::numeric_limits<int>::max(), tr("all"),
                    tr("Only the first texts, in the order of the files"), this)),
      m_authorDraw(new QCheckBox(tr("author's draw"), this)),
      m_rope(line("captureRope", tr("as the model says"),
                  tr("RoPE settings as a JSON object, in place of the model's own, e.g. {\"rope_type\": "
                     "\"yarn\", \"factor\": 4, \"original_max_position_embeddings\": 32768}"),
                  this)),
      m_ablate(line("captureAblate", tr("no heads, or e.g. L12H6,L3H0-7"),
                    tr("Query heads whose output is set to zero: see what later layers make of it"), this)),
      m_clamp(
          line("captureClamp", tr("no heads, or e.g. L12H6"),
               tr("Query heads that see keys without their drift along the position axis; the effect is in "
                  "later layers"),
               this)),
      m_clampFrom(line("captureClampFrom", tr("analysis with axis and slope"),
                       tr("The analysis with a and alpha_K of the heads whose keys are clamped"), this)),
      m_textField(line("captureTextField", tr("text, context, …"),
                       tr("Field of a record with its text; by default the first of text, context, content, "
                          "document and prompt"),
                       this)),
      m_idField(line("captureIdField", tr("id, _id, number"),
                     tr("Field of a record with its id; by default id or _id, else a running number"),
                     this)) {
  m_authorDraw->setChecked(true);
  m_authorDraw->setToolTip(tr(
      "Heads are drawn over all layers, and those without vectors are left out afterwards, as the author's "
      "programs do"));
  m_sampleSeed->setValue(-1);
  m_memory->setSuffix(tr(" MiB"));
  QFormLayout* form = formOf(this);
  form->addRow(tr("Seeds"), formLine({new QLabel(tr("heads"), this), m_headSeed, m_authorDraw,
                                      new QLabel(tr("positions"), this), m_sampleSeed},
                                     this));
  form->addRow(tr("RoPE"), formLine({m_rope, new QLabel(tr("memory"), this), m_memory}, this));
  form->addRow(tr("Ablate"), m_ablate);
  form->addRow(tr("Clamp"), buildClampFrom());
  form->addRow(tr("Records"), formLine({new QLabel(tr("text"), this), m_textField, new QLabel(tr("id"), this),
                                        m_idField, new QLabel(tr("at most"), this), m_most},
                                       this));
  nameFields(*form);
  for (QLineEdit* field : {m_rope, m_ablate, m_clamp, m_clampFrom})
    connect(field, &QLineEdit::textChanged, this, &AdvancedForm::changed);
  for (QSpinBox* box : {m_headSeed, m_sampleSeed, m_memory})
    connect(box, &QSpinBox::valueChanged, this, &AdvancedForm::changed);
  connect(m_authorDraw, &QCheckBox::toggled, this, &AdvancedForm::changed);
  for (QLineEdit* field : {m_textField, m_idField})
    connect(field, &QLineEdit::editingFinished, this, &AdvancedForm::recordOptionsChanged);
  connect(m_most, &QSpinBox::valueChanged, this, &AdvancedForm::recordOptionsChanged);
}

QWidget* AdvancedForm::buildClampFrom() {
  auto* browse = new QPushButton(QStringLiteral("…"), this);
  browse->setAutoDefault(false);
  browse->setToolTip(tr("Choose the analysis"));
  browse->setAccessibleName(browse->toolTip());
  connect(browse, &QPushButton::clicked, this, [this] {
    const QString file = QFileDialog::getOpenFileName(this, tr("The analysis that says how keys drift"), {},
                                                      tr("Analyses (*.h5 *.hdf5)"));
    if (!file.isEmpty()) m_clampFrom->setText(fileText(file.toStdString()));
  });
  return formLine({m_clamp, new QLabel(tr("from"), this), m_clampFrom, browse}, this);
}

void AdvancedForm::setModel(const std::optional<ModelSpec>& spec) {
  m_spec = spec;
}

QString AdvancedForm::headsProblem(const QLineEdit* heads, const QString& option) const {
  if (textOf(heads).empty()) return {};
  try {
    const auto chosen = parseHeadList(textOf(heads));
    if (m_spec) requireHeads(chosen, *m_spec);
    return {};
  } catch (const Error& error) {
    return QStringLiteral("%1: %2").arg(option, sanitizedText(error.what()));
  }
}

QString AdvancedForm::problem() const {
  for (const QString& wrong : {headsProblem(m_ablate, tr("Ablate")), headsProblem(m_clamp, tr("Clamp"))}) {
    if (!wrong.isEmpty()) return wrong;
  }
  if (textOf(m_clamp).empty() != textOf(m_clampFrom).empty())
    return textOf(m_clamp).empty() ? tr("Clamp: say which heads.")
                                   : tr("Clamp: choose the analysis that says how the keys drift.");
  try {
    const Json rope = ropeOf(m_rope);
    if (!rope.is_null() && !rope.is_object()) return tr("RoPE: expected a JSON object.");
    return {};
  } catch (const Error& error) {
    return sanitizedText(error.what());
  }
}

void AdvancedForm::addTo(CaptureDraft& draft) const {
  draft.plan.headSeed = static_cast<std::uint64_t>(m_headSeed->value());
  if (m_sampleSeed->value() >= 0) draft.plan.sampleSeed = static_cast<std::uint64_t>(m_sampleSeed->value());
  draft.plan.authorParity = m_authorDraw->isChecked();
  draft.plan.ablate = textOf(m_ablate);
  draft.plan.clampBias = textOf(m_clamp);
  draft.clampFrom = fileOfText(m_clampFrom->text().trimmed());
  draft.memoryLimit = m_memory->value();
  try {
    draft.plan.ropeOverride = ropeOf(m_rope);
  } catch (const Error&) {
    draft.plan.ropeOverride = {};  // problem() says what is wrong with it
  }
}

void AdvancedForm::set(const CaptureDraft& draft) {
  const auto text = [](const std::string& value) { return QString::fromStdString(value); };
  m_headSeed->setValue(static_cast<int>(draft.plan.headSeed));
  m_sampleSeed->setValue(draft.plan.sampleSeed ? static_cast<int>(*draft.plan.sampleSeed) : -1);
  m_authorDraw->setChecked(draft.plan.authorParity);
  m_ablate->setText(text(draft.plan.ablate));
  m_clamp->setText(text(draft.plan.clampBias));
  m_clampFrom->setText(fileText(draft.clampFrom));
  m_memory->setValue(static_cast<int>(draft.memoryLimit));
  m_rope->setText(draft.plan.ropeOverride->is_null() ? QString() : text(draft.plan.ropeOverride->dump()));
  m_textField->setText(text(draft.corpus.textField));
  m_idField->setText(text(draft.corpus.idField));
  m_most->setValue(static_cast<int>(std::max<std::int64_t>(0, draft.corpus.maxExamples)));
  Q_EMIT recordOptionsChanged();
}

CorpusOptions AdvancedForm::recordOptions() const {
  CorpusOptions options;
  options.textField = textOf(m_textField);
  options.idField = textOf(m_idField);
  if (m_most->value() > 0) options.maxExamples = m_most->value();
  return options;
}

}  // namespace plastiscope
