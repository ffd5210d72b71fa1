#include "app/desktop/measure_dialog.h"

#include <QComboBox>
#include <QCoreApplication>
#include <QLabel>
#include <QPushButton>
#include <cmath>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/model/model_spec.h"
#include "core/sweep/toml_entries.h"
#include "core/views/metric_info.h"
#include "core/views/study_facts.h"
#include "widgets/capture/rope_fields.h"
#include "widgets/forms/dialog_parts.h"
#include "widgets/state/file_text.h"
#include "widgets/state/small_widgets.h"

namespace fs = std::filesystem;

namespace plastiscope {

namespace {

constexpr int kMeasureWidth = 520;

QString translated(const char* text) {
  return QCoreApplication::translate("MeasureDialog", text);
}

// Settings that the dialog proposes.
constexpr const char* kProposedRope = "{\"rope_type\":\"yarn\",\"factor\":4}";

// "alpha_K = 0.0123 a token"; nullopt where the analysis has no such drift.
std::optional<QString> driftOfKeys(const Study& study, HeadName head) {
  const Table* heads = study.analysis->find("heads");
  const auto row = heads != nullptr ? headRow(*heads, head) : std::nullopt;
  const double slope = row ? numberAt(*heads, "alpha_k", *row) : kMissing;
  if (!std::isfinite(slope)) return {};
  return translated("The drift of its keys is %1 per token.").arg(QString::fromStdString(metricText(slope)));
}

}  // namespace

const std::vector<MeasurementKind>& measurementKinds() {
  static const std::vector<MeasurementKind> kKinds = {
      {Intervention::Ablate, "actionWithoutHead", translated("&without the selected heads …"),
       translated("Measure without %1"), translated("the output of <b>%1</b> set to zero")},
      {Intervention::ClampBias, "actionClampHead", translated("with its position bias &clamped …"),
       translated("Measure %1 with its position bias clamped"),
       translated(
           "the keys seen by <b>%1</b> moved back along the position axis by their drift. The captured "
           "rows of these heads do not change: the effect is in later layers and in the predictions")},
      {Intervention::Rope, "actionOtherRope", translated("with another &RoPE …"),
       translated("Measure with another RoPE"),
       translated("these RoPE settings in place of the model's own, in all heads"), false},
      {Intervention::OnlyLoss, "actionMeasureLoss", translated("the &loss of its texts …"),
       translated("Measure the loss"), translated("no change, recording the loss of every token"), false},
  };
  return kKinds;
}

MeasureDialog::MeasureDialog(const MeasurementKind& kind, const MeasurementStart& start, QWidget* parent)
    : QDialog(parent),
      m_start(start),
      m_text(named("measureText", new QLabel(this))),
      m_file(styledLabel({}, "muted", this)),
      m_loss(named("measureLossFirst", smallButton(tr("Measure the &loss first …"),
                                                   tr("Capture these texts again with the loss of every "
                                                      "token; changes of that capture have an effect on it"),
                                                   this))),
      m_buttons(new DialogButtons({QStringLiteral("measure"), tr("&Start"),
                                   tr("Capture in the background, then open both as a comparison"),
                                   tr("Close and measure nothing (Esc)")},
                                  this)) {
  setObjectName(QStringLiteral("measureDialog"));
  m_change.kind = kind.kind;
  m_change.heads = start.heads;
  const QString head = QString::fromStdString(changedHeadsText(m_change));
  setWindowTitle(kind.ofHead ? kind.title.arg(head) : kind.title);
  m_about = kind.ofHead ? kind.about.arg(head) : kind.about;
  for (QLabel* label : {m_text, m_file}) label->setWordWrap(true);
  m_text->setTextFormat(Qt::RichText);
  QWidget* rope = kind.kind == Intervention::Rope ? ropeFields() : nullptr;
  auto* column = columnIn(this, {m_text}, {.margins = {18, 14, 18, 14}, .spacing = 12});
  if (rope != nullptr) column->addWidget(rope);
  if (kind.kind == Intervention::Ablate) {
    m_way = named("measureWay", new QComboBox(this));
    m_way->addItem(tr("Output set to zero; captures again"), QStringLiteral("zero"));
    m_way->addItem(tr("Mean output over the texts; loss only"), QStringLiteral("mean"));
    m_way->addItem(tr("Output on another text; loss only"), QStringLiteral("resample"));
    explain(*m_way, tr("What takes the place of the heads' output"));
    connect(m_way, &QComboBox::currentIndexChanged, this, &MeasureDialog::refresh);
    column->addWidget(m_way);
  }
  column->addLayout(rowOf({m_loss, Stretch()}));
  column->addWidget(m_file);
  column->addStretch(1);
  column->addWidget(m_buttons);
  connect(m_buttons, &DialogButtons::startRequested, this, [this] {
    way() == QLatin1String("zero") ? startRequested(m_change, file()) : studyRequested(study());
    accept();
  });
  m_loss->setVisible(kind.kind != Intervention::OnlyLoss && !start.origin->capture->hasLosses());
  connect(m_loss, &QPushButton::clicked, this, [this] {
    reject();
    Q_EMIT lossRequested();
  });
  refresh();
  resizeOnScreen(*this, {kMeasureWidth, layout()->totalHeightForWidth(kMeasureWidth)});
}

QString MeasureDialog::text() const {
  return m_text->text();
}

QString MeasureDialog::way() const {
  return m_way != nullptr ? m_way->currentData().toString() : QStringLiteral("zero");
}

// A study on the texts of the capture: the heads changed together, with zero ablation for comparison.
CausesRun MeasureDialog::study() const {
  CausesRun run;
  run.study = m_start.origin;
  run.view.head = m_change.heads.front();
  run.view.causes = "doses";
  run.ownTexts = true;
  const CaptureInfo& info = m_start.origin->capture->info();
  const std::string tokens = std::to_string(info.window), how = way().toStdString();
  run.out = file().replace_extension().concat("-" + how);
  run.plan = "model = " + tomlText(m_start.model.string()) +
             "\ntokens = " + tomlText(run.beside(kTokensFile).string()) +
             "\nheads = " + tomlText(headListText(m_change.heads)) + "\nways = [\"zero\", " + tomlText(how) +
             "]\nsingles = \"none\"\nrandom_sets = 0\nmatched_sets = 0\n\n" +
             "[probes]\nkinds = \"text\"\nlengths = " + tomlText(tokens) + "\ntext_tokens = " + tokens +
             "\ncount = " + std::to_string(info.examples.size()) + "\n";
  run.arguments = {QStringLiteral("study"), fileText(run.beside(kPlanFile)), QStringLiteral("--part"),
                   QStringLiteral("0/1"),   QStringLiteral("--out"),         fileText(run.out)};
  return run;
}

fs::path MeasureDialog::file() const {
  return fileOfChange(m_start.folder / m_start.origin->capture->path().filename(), m_change);
}

QWidget* MeasureDialog::ropeFields() {
  m_rope = new RopeFields(this);
  m_rope->setOwn(mainRope(m_start.origin->capture->info().rope));
  m_rope->setText(QLatin1String(kProposedRope));
  connect(m_rope, &RopeFields::changed, this, &MeasureDialog::refresh);
  return m_rope;
}

QString MeasureDialog::readRope() {
  m_change.rope = JsonValue::object();
  try {
    const Json settings = m_rope->value();
    if (settings.empty()) return tr("RoPE settings: expected a JSON object such as {\"factor\": 4}");
    m_change.rope = settings;
  } catch (const InputError& error) {
    return sanitizedText(error.what());
  }
  return {};
}

QString MeasureDialog::lacking() {
  if (const QString wrong = m_rope != nullptr ? readRope() : QString(); !wrong.isEmpty()) return wrong;
  if (way() == QLatin1String("resample") && m_start.origin->capture->info().examples.size() < 2)
    return tr("Another text is needed: the capture has one.");
  if (m_change.kind == Intervention::ClampBias) {
    for (const HeadName& head : m_change.heads)
      if (!driftOfKeys(*m_start.origin, head))
        return tr("The analysis has no drift of the keys of %1.").arg(QString::fromStdString(head.text()));
  }
  try {
    const CapturePlan plan = changedCapture(*m_start.origin->capture, m_change, {}, file()).plan;
    if (way() != QLatin1String("zero") &&
        (plan.ablate != headListText(m_change.heads) || plan.ropeOverride->is_object()))
      return tr("This capture has changes of its own, which only zero keeps.");
  } catch (const UsageError& error) {
    return sanitizedText(error.what());
  }
  return {};
}

void MeasureDialog::refresh() {
  const CaptureFile& capture = *m_start.origin->capture;
  const bool onlyLoss = m_change.kind == Intervention::OnlyLoss, isStudy = way() != QLatin1String("zero");
  QString text = tr("<p>The texts of %1 (%2) run through %3 again, with %4.")
                     .arg(fileText(capture.path().filename()).toHtmlEscaped())
                     .arg(capture.info().examples.size())
                     .arg(fileText(m_start.model.filename()).toHtmlEscaped(), m_about);
  if (m_change.kind == Intervention::ClampBias && m_change.heads.size() == 1) {
    if (const auto drift = driftOfKeys(*m_start.origin, m_change.heads.front()))
      text += QLatin1Char(' ') + *drift;
  }
  if (isStudy) {
    text +=
        tr("</p><p>The same again with the output chosen below. The loss of tokens that are new in their "
           "text or "
           "repeat a passage, with intervals over texts, then opens in the tab Causes of the details.</p>");
  } else {
    text += onlyLoss
                ? tr("</p><p>This takes as long as the capture did, in the background. Then the new "
                     "capture opens; changes are measured against it.</p>")
                : tr("</p><p>This takes as long as the capture did, in the background. Then both open as "
                     "a comparison.</p>");
  }
  if (!onlyLoss && !isStudy) {
    text += capture.hasLosses()
                ? tr("<p>The loss of every token is measured again, too.</p>")
                : tr("<p>The capture has no losses, so the comparison shows heads alone. To see what the "
                     "change does to the predictions, measure the loss of the texts first.</p>");
  }
  m_text->setText(text);
  m_file->setText(isStudy ? tr("Folder: %1").arg(fileText(study().out))
                          : tr("File: %1").arg(fileText(file())));
  m_buttons->showState(lacking());
}

}  // namespace plastiscope

#include "moc_measure_dialog.cpp"
