#include "widgets/capture/plan_form.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>

#include "core/base/error.h"
#include "core/capture/head_choice.h"
#include "core/capture/position_sampler.h"
#include "widgets/forms/form_line.h"
#include "widgets/state/capture_draft.h"
#include "widgets/state/file_text.h"

namespace plastiscope {
namespace {

constexpr int kLargest = 1 << 24;

QString plannedCount(std::int64_t count) {
  return QString::fromStdString(withCommas(count));
}

QLabel* planNote(QWidget* parent) {
  auto* label = new QLabel(parent);
  label->setProperty("muted", true);
  return label;
}

// A choice whose value is kept beside the words.
QComboBox* choice(std::initializer_list<std::pair<const char*, QString>> values, QWidget* parent) {
  auto* box = new QComboBox(parent);
  for (const auto& [value, words] : values) box->addItem(words, QString::fromLatin1(value));
  return box;
}

std::string valueOf(const QComboBox* box) {
  return box->currentData().toString().toStdString();
}

}  // namespace

PlanForm::PlanForm(QWidget* parent)
    : QWidget(parent),
      m_window(new QSpinBox(this)),
      m_bucket(new QSpinBox(this)),
      m_rate(new QDoubleSpinBox(this)),
      m_sampler(new QComboBox(this)),
      m_heads(new QComboBox(this)),
      m_point(choice({{"post-rope", tr("after RoPE")}, {"pre-rope", tr("before RoPE")}, {"both", tr("both")}},
                     this)),
      m_device(choice({{"auto", tr("automatic")}, {"cpu", tr("CPU")}, {"cuda", tr("GPU (CUDA)")}}, this)),
      m_dtype(choice({{"auto", tr("automatic")},
                      {"float32", "float32"},
                      {"bfloat16", "bfloat16"},
                      {"float16", "float16"}},
                     this)),
      m_store(choice({{"float16", "float16"}, {"float32", "float32"}}, this)),
      m_paired(new QCheckBox(tr("same positions for Q and K"), this)),
      m_allLayers(new QCheckBox(tr("sliding layers too"), this)),
      m_windowNote(planNote(this)),
      m_headsNote(planNote(this)) {
  m_window->setObjectName(QStringLiteral("captureWindow"));
  m_window->setRange(0, kLargest);
  m_window->setSingleStep(1024);
  m_window->setGroupSeparatorShown(true);
  m_window->setSuffix(tr(" tokens"));
  m_window->setSpecialValueText(tr("longest text"));
  m_window->setToolTip(
      tr("Texts are cut on the right to this length; it is also the position range of all analyses"));
  m_bucket->setObjectName(QStringLiteral("captureBucket"));
  m_bucket->setRange(0, kLargest);
  m_bucket->setGroupSeparatorShown(true);
  m_bucket->setToolTip(tr("Tokens a bucket; the rate counts rows per bucket and text"));
  m_rate->setObjectName(QStringLiteral("captureRate"));
  m_rate->setRange(0.01, 100000);
  m_rate->setDecimals(2);
  m_rate->setValue(CapturePlan().rate);
  m_rate->setToolTip(
      tr("Expected rows per bucket and text. Some two thousand rows a head give full profiles and maps"));
  for (const PositionSampler& sampler : positionSamplers()) {
    const QString name = QString::fromUtf8(sampler.name.data(), static_cast<qsizetype>(sampler.name.size()));
    m_sampler->addItem(name, name);
    m_sampler->setItemData(
        m_sampler->count() - 1,
        QString::fromUtf8(sampler.help.data(), static_cast<qsizetype>(sampler.help.size())), Qt::ToolTipRole);
  }
  m_sampler->setToolTip(tr("Which positions of a text are taken"));
  m_heads->setObjectName(QStringLiteral("captureHeads"));
  m_heads->setEditable(true);
  m_heads->setInsertPolicy(QComboBox::NoInsert);
  m_heads->addItems({QStringLiteral("all"), QStringLiteral("300"), QStringLiteral("stratified:60")});
  m_heads->setToolTip(
      tr("all, a number (the author's random choice), stratified:N, or a list such as L12H6,L3H0-7"));
  m_paired->setToolTip(tr("Sample the same positions for queries and keys"));
  m_point->setToolTip(tr("Vectors after the rotation by RoPE, before it, or both"));
  m_device->setToolTip(tr("Where the model runs"));
  m_dtype->setToolTip(tr("Number format of the computation"));
  m_store->setToolTip(tr("Number format of the vectors in the file"));
  m_allLayers->setToolTip(tr("Also capture layers with a sliding attention window"));

  QFormLayout* layout = formOf(this);
  layout->addRow(tr("&Window"), formLine({m_window, m_windowNote}, this));
  layout->addRow(tr("Sampler"), formLine({m_sampler, new QLabel(tr("bucket"), this), m_bucket,
                                          new QLabel(tr("rate"), this), m_rate},
                                         this));
  layout->addRow(tr("&Heads"), formLine({m_heads, m_headsNote}, this));
  layout->addRow(tr("Vectors"), formLine({m_point, m_paired, m_allLayers}, this));
  layout->addRow(tr("Compute"), formLine({m_device, new QLabel(tr("type"), this), m_dtype,
                                          new QLabel(tr("store"), this), m_store},
                                         this));
  nameFields(*layout);

  for (QSpinBox* box : {m_window, m_bucket}) connect(box, &QSpinBox::valueChanged, this, &PlanForm::refresh);
  connect(m_rate, &QDoubleSpinBox::valueChanged, this, [this] {
    m_rateByHand = true;
    refresh();
  });
  for (QComboBox* box : {m_sampler, m_point, m_device, m_dtype, m_store})
    connect(box, &QComboBox::currentIndexChanged, this, &PlanForm::refresh);
  connect(m_heads, &QComboBox::currentTextChanged, this, &PlanForm::refresh);
  for (QCheckBox* box : {m_paired, m_allLayers}) connect(box, &QCheckBox::toggled, this, &PlanForm::refresh);
  refresh();
}

void PlanForm::setModel(const std::optional<ModelSpec>& spec) {
  m_spec = spec;
  refresh();
}

void PlanForm::setTexts(std::int64_t longest, std::int64_t tokensAfterCut) {
  if (longest == m_longest && tokensAfterCut == m_tokens) return;
  m_longest = longest;
  m_tokens = tokensAfterCut;
  refresh();
}

std::int64_t PlanForm::effectiveWindow() const {
  const std::int64_t context = m_spec ? m_spec->contextLength : 0;
  const std::int64_t wanted = m_window->value() > 0 ? m_window->value() : m_longest;
  return context > 0 && m_window->value() == 0 ? std::min(wanted, context) : wanted;
}

QString PlanForm::problem() const {
  try {
    if (m_spec) chooseHeads(plan(), *m_spec);
    return {};
  } catch (const Error& error) {
    return sanitizedText(error.what());
  }
}

void PlanForm::refresh() {
  const std::int64_t window = effectiveWindow();
  const std::int64_t bucket =
      m_bucket->value() > 0 ? m_bucket->value() : std::max<std::int64_t>(1, window / 16);
  m_bucket->setSpecialValueText(window > 0 ? tr("%1 (1/16)").arg(plannedCount(bucket)) : tr("window / 16"));
  if (!m_rateByHand && m_tokens > 0) {
    const QSignalBlocker quiet(m_rate);
    m_rate->setValue(suggestedRate(m_tokens, bucket));
  }
  QStringList limits;
  if (m_longest > 0) limits << tr("longest text %1").arg(plannedCount(m_longest));
  if (m_spec) limits << tr("model up to %1").arg(plannedCount(m_spec->contextLength));
  m_windowNote->setText(limits.join(QStringLiteral(", ")));
  const QString wrong = problem();
  m_headsNote->setText(!wrong.isEmpty() ? tr("not understood")
                       : m_spec         ? tr("of %1 × %2, %3 KV heads a layer")
                                      .arg(m_spec->layerCount)
                                      .arg(m_spec->queryHeads)
                                      .arg(m_spec->keyHeads)
                                : QString());
  m_headsNote->setToolTip(plainTip(wrong));
  Q_EMIT changed();
}

void PlanForm::chooseDevice(const std::string& device) {
  m_device->setCurrentIndex(std::max(0, m_device->findData(QString::fromStdString(device))));
}

void PlanForm::setPlan(const CapturePlan& plan) {
  m_window->setValue(static_cast<int>(plan.window));
  m_bucket->setValue(static_cast<int>(plan.bucketSize));
  if (plan.rate != CapturePlan().rate) m_rate->setValue(plan.rate);
  m_heads->setEditText(QString::fromStdString(plan.heads));
  const std::pair<QComboBox*, const std::string*> choices[] = {{m_sampler, &plan.sampler},
                                                               {m_point, &plan.point},
                                                               {m_device, &plan.device},
                                                               {m_dtype, &plan.dtype},
                                                               {m_store, &plan.store}};
  for (const auto& [box, value] : choices) {
    if (const int at = box->findData(QString::fromStdString(*value)); at >= 0) box->setCurrentIndex(at);
  }
  m_paired->setChecked(plan.paired);
  m_allLayers->setChecked(plan.allLayers);
}

CapturePlan PlanForm::plan() const {
  CapturePlan plan;
  plan.window = m_window->value();
  plan.sampler = valueOf(m_sampler);
  plan.bucketSize = m_bucket->value();
  plan.rate = m_rate->value();
  plan.heads = m_heads->currentText().trimmed().toStdString();
  plan.allLayers = m_allLayers->isChecked();
  plan.point = valueOf(m_point);
  plan.paired = m_paired->isChecked();
  plan.dtype = valueOf(m_dtype);
  plan.store = valueOf(m_store);
  plan.device = valueOf(m_device);
  return plan;
}

}  // namespace plastiscope
