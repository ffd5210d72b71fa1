#include "widgets/capture/capture_form.h"

#include <QComboBox>
#include <QDialog>
#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/capture/head_list.h"
#include "core/capture/position_sampler.h"
#include "widgets/capture/rope_fields.h"
#include "widgets/forms/option_form.h"
#include "widgets/state/file_text.h"
#include "widgets/state/small_widgets.h"

namespace plastiscope {
namespace {

// Explains each sampler beside its name.
void explainSamplers(QComboBox& box) {
  for (const PositionSampler& sampler : positionSamplers())
    box.setItemData(box.findData(QUtf8StringView(sampler.name).toString()),
                    QUtf8StringView(sampler.help).toString(), Qt::ToolTipRole);
}

}  // namespace

double suggestedRate(std::int64_t tokensAfterCut, std::int64_t bucketSize) {
  constexpr double kWantedRows = 2000;  // enough for full profiles and maps
  if (tokensAfterCut <= 0 || bucketSize <= 0) return 1;
  const double rowsAtOne = 1.0 * tokensAfterCut / bucketSize;
  return std::clamp<double>(std::ceil(kWantedRows / rowsAtOne), 1, bucketSize);
}

CaptureForm::CaptureForm(QWidget* parent)
    : QTabWidget(parent),
      m_options(captureOptions(m_request)),
      m_standardOptions(captureOptions(m_standard)),
      m_fields(new OptionFields(m_options, m_standardOptions, QStringLiteral("capture"), this)),
      m_windowNote(styledLabel({}, "muted", this)),
      m_headsNote(new ElidedLabel(QWIDGETSIZE_MAX, this)) {
  m_headsNote->setProperty("muted", true);
  m_request.plan.heads = "all";  // most common choice
  setObjectName(QStringLiteral("captureSettings"));
  setAccessibleName(tr("Settings of the capture"));
  setDocumentMode(true);
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
  auto* rope =
      named("ropeFields",
            smallButton(tr("Fields …"), tr("Edit the settings as fields, beside the model's own"), this));
  connect(rope, &QPushButton::clicked, this, &CaptureForm::editRope);
  const std::map<std::string, QWidget*> notes = {
      {"&Window", m_windowNote}, {"&Heads", m_headsNote}, {"RoPE", rope}};
  for (const auto& [page, title] :
       {std::pair("Settings", tr("S&ettings")), std::pair("Advanced", tr("Ad&vanced"))}) {
    auto* sheet = new QWidget(this);
    m_fields->addRows(*formOf(sheet), page, notes);
    addTab(sheet, title);
  }
  explainSamplers(*m_fields->field<QComboBox>("plan.sampler"));
  connect(m_fields, &OptionFields::changed, this, &CaptureForm::fieldChanged);
  connect(m_fields, &OptionFields::finished, this, [this](const std::string& key) {
    if (key.starts_with("corpus.")) Q_EMIT recordOptionsChanged();
  });
  refresh();
}

void CaptureForm::fieldChanged(const std::string& key) {
  if (key == "plan.rate") m_rateByHand = true;
  if (!key.starts_with("corpus."))
    refresh();
  else if (m_fields->field<QLineEdit>(key) == nullptr)  // a line edit is read when finished
    Q_EMIT recordOptionsChanged();
}

void CaptureForm::setModel(const std::optional<ModelSpec>& spec) {
  m_spec = spec;
  refresh();
}

void CaptureForm::setTexts(std::int64_t longest, std::int64_t tokensAfterCut) {
  if (longest == m_longest && tokensAfterCut == m_tokens) return;
  m_longest = longest;
  m_tokens = tokensAfterCut;
  refresh();
}

std::int64_t CaptureForm::effectiveWindow() const {
  const std::int64_t context = m_spec ? m_spec->contextLength : 0, window = m_request.plan.window;
  const std::int64_t wanted = window > 0 ? window : m_longest;
  return context > 0 && window == 0 ? std::min(wanted, context) : wanted;
}

QString CaptureForm::headsProblem() const {
  try {
    if (m_spec) chooseDenseHeads(m_request.plan, chooseHeads(m_request.plan, *m_spec));
    return {};
  } catch (const Error& error) {
    return sanitizedText(error.what());
  }
}

QString CaptureForm::problemOf(const std::string& heads, const QString& option) const {
  if (heads.empty()) return {};
  try {
    const auto chosen = parseHeadList(heads);
    if (m_spec) requireHeads(chosen, *m_spec);
    return {};
  } catch (const Error& error) {
    return QStringLiteral("%1: %2").arg(option, sanitizedText(error.what()));
  }
}

QString CaptureForm::problem() const {
  const CapturePlan& plan = m_request.plan;
  for (const QString& wrong :
       {headsProblem(), problemOf(plan.dense == kAllHeads ? "" : plan.dense, tr("Dense")),
        problemOf(plan.ablate, tr("Ablate")), problemOf(plan.clampBias, tr("Clamp"))}) {
    if (!wrong.isEmpty()) return wrong;
  }
  if (plan.clampBias.empty() != m_request.clampFrom.empty())
    return plan.clampBias.empty() ? tr("Clamp: choose heads.")
                                  : tr("Clamp: choose the analysis with the drift of the keys.");
  if (!plan.ropeOverride->is_null() && !plan.ropeOverride->is_object())
    return tr("RoPE: expected a JSON object.");
  return m_fields->problem();
}

void CaptureForm::refresh() {
  const std::int64_t window = effectiveWindow();
  CapturePlan& plan = m_request.plan;
  const std::int64_t bucket = plan.bucketSize > 0 ? plan.bucketSize : std::max<std::int64_t>(1, window / 16);
  auto* size = m_fields->field<QSpinBox>("plan.bucket_size");
  size->setSpecialValueText(window > 0 ? tr("%1 (1/16)").arg(groupedText(bucket)) : tr("window / 16"));
  size->updateGeometry();  // Qt keeps the previous width
  if (!m_rateByHand && m_tokens > 0) {
    plan.rate = suggestedRate(m_tokens, bucket);
    m_fields->show("plan.rate");
  }
  QStringList limits;
  if (m_longest > 0) limits << tr("longest text %1").arg(groupedText(m_longest));
  if (m_spec) limits << tr("model up to %1").arg(groupedText(m_spec->contextLength));
  m_windowNote->setText(limits.join(QStringLiteral(", ")));
  const QString wrong = headsProblem();
  m_headsNote->setName(!wrong.isEmpty() ? wrong
                       : m_spec         ? tr("of %1 × %2, %3 KV heads per layer")
                                      .arg(m_spec->layerCount)
                                      .arg(m_spec->queryHeads)
                                      .arg(m_spec->keyHeads)
                                : QString());
  m_headsNote->setToolTip(plainTip(wrong));
  Q_EMIT changed();
}

void CaptureForm::editRope() {
  QDialog dialog(this);
  dialog.setObjectName(QStringLiteral("ropeDialog"));
  dialog.setWindowTitle(tr("RoPE in place of the model's own"));
  auto* fields = new RopeFields(&dialog);
  fields->setOwn(m_spec ? mainRope(ropeJson(*m_spec)) : Json());
  fields->setText(m_fields->field<QLineEdit>("--rope-override")->text());
  auto* problem = styledLabel({}, "bad", &dialog);
  problem->setWordWrap(true);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, &dialog);
  columnIn(&dialog, {fields, problem, Stretch(), buttons}, {.margins = {18, 14, 18, 14}, .spacing = 12});
  const auto check = [&] {
    QString wrong;
    try {
      (void)fields->value();
    } catch (const Error& error) {
      wrong = sanitizedText(error.what());
    }
    problem->setText(wrong);
    buttons->button(QDialogButtonBox::Ok)->setEnabled(wrong.isEmpty());
  };
  connect(fields, &RopeFields::changed, &dialog, check);
  connect(buttons, &QDialogButtonBox::accepted, &dialog, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, &dialog, &QDialog::reject);
  check();
  if (dialog.exec() != QDialog::Accepted) return;
  const Json settings = fields->value();
  m_request.plan.ropeOverride = settings.empty() ? JsonValue() : JsonValue(settings);
  m_fields->show("--rope-override");
  refresh();
}

void CaptureForm::chooseDevice(const std::string& device) {
  m_request.plan.device = device;
  m_fields->show("plan.device");
  refresh();
}

void CaptureForm::choosePython(const std::string& python) {
  m_request.python = python;
  m_fields->show("python");
  refresh();
}

void CaptureForm::setRequest(const CaptureRequest& request) {
  const double rate = m_request.plan.rate;
  m_request = request;
  m_rateByHand = m_rateByHand || request.plan.rate != m_standard.plan.rate;
  if (request.plan.rate == m_standard.plan.rate) m_request.plan.rate = rate;
  m_request.model.clear();
  m_request.out.clear();
  m_request.tokens.clear();
  m_request.corpus.files.clear();
  m_request.corpus.select.clear();
  m_fields->showAll();
  refresh();
  Q_EMIT recordOptionsChanged();
}

}  // namespace plastiscope

#include "moc_capture_form.cpp"
