#include "widgets/capture/estimate_box.h"

#include <QGridLayout>
#include <QLabel>
#include <QProgressBar>
#include <QStyle>
#include <cmath>

#include "core/base/checked_json.h"
#include "core/base/error.h"
#include "core/base/json.h"
#include "widgets/jobs/job_handle.h"
#include "widgets/state/file_text.h"
#include "widgets/state/small_widgets.h"

namespace plastiscope {
namespace {

double number(const Json& object, const char* key) {
  return numberOr(object, key, 0);
}

QString text(const Json& object, const char* key) {
  return QString::fromStdString(textOr(object, key));
}

QString roundedText(double value) {
  return groupedText(std::llround(value));
}
QString sizeText(double bytes) {
  return QString::fromStdString(byteText(static_cast<unsigned long long>(std::max(0.0, bytes))));
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
      m_state(styledLabel({}, "muted", this)),
      m_verdict(named("estimateVerdict", new QLabel(this))) {
  setProperty("card", QStringLiteral("true"));
  auto* title = styledLabel(tr("Estimate"), "strong", this);
  m_verdict->setWordWrap(true);
  m_verdict->setMinimumHeight(m_verdict->fontMetrics().lineSpacing() * 2);
  m_verdict->setAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  auto* head = rowOf({title, Stretch(), m_state});
  auto* grid = new QGridLayout;
  grid->setHorizontalSpacing(16);
  grid->setVerticalSpacing(5);
  grid->setColumnStretch(3, 1);
  columnIn(this, {head, grid, m_verdict}, {.margins = {10, 7, 10, 7}});
  m_tokens = addLine(0, tr("Tokens"), false);
  m_time = addLine(1, tr("Time"), false);
  m_memory = addLine(2, tr("Memory"), true);
  m_card = addLine(3, tr("GPU"), true);
  m_disk = addLine(4, tr("Disk"), true);
  m_rows = addLine(5, tr("Rows"), false);
  showWaiting(tr("Choose a model and texts."));
}

EstimateBox::Line EstimateBox::addLine(int row, const QString& name, bool withBar) {
  auto* grid = static_cast<QGridLayout*>(layout()->itemAt(1)->layout());
  Line line{styledLabel(name, "muted", this), styledLabel({}, "strong", this),
            styledLabel({}, "muted", this)};
  line.value->setMinimumWidth(84);
  grid->addWidget(line.name, row, 0);
  grid->addWidget(line.value, row, 1);
  if (withBar) {
    line.bar = new QProgressBar(this);
    line.bar->setTextVisible(false);
    line.bar->setAccessibleName(name);
    line.bar->setRange(0, 1000);
    line.bar->setFixedWidth(96);
    grid->addWidget(line.bar, row, 2);
    grid->addWidget(line.remark, row, 3);
  } else {
    grid->addWidget(line.remark, row, 2, 1, 2);
  }
  return line;
}

// Shows or hides a line, such as the one on GPU memory.
void EstimateBox::setShown(const Line& line, bool shown) {
  for (QWidget* part : std::initializer_list<QWidget*>{line.name, line.value, line.remark, line.bar})
    part->setVisible(shown);
}

void EstimateBox::clear() {
  setShown(m_card, false);
  for (const Line& line : {m_tokens, m_time, m_memory, m_card, m_disk, m_rows}) {
    line.value->setText(QStringLiteral("–"));
    line.remark->clear();
    if (line.bar) line.bar->setValue(0);
  }
}

void EstimateBox::showWaiting(const QString& sentence) {
  clear();
  m_state->clear();
  m_verdict->setText(sentence);
  setLook(m_verdict, "muted");
}

void EstimateBox::showFailure(const QString& sentence) {
  clear();
  m_state->clear();
  m_verdict->setText(sentence);
  setLook(m_verdict, "bad");
}

void EstimateBox::showEstimate(const Json& estimate) {
  const double tokens = number(estimate, "tokens_after_cut"), seconds = number(estimate, "seconds");
  const double memory = number(estimate, "memory_bytes"), limit = number(estimate, "memory_limit");
  const double disk = number(estimate, "disk_bytes"), freeDisk = number(estimate, "free_disk");
  const auto share = [](double part, double whole) {
    return whole > 0 ? static_cast<int>(std::clamp(1000 * part / whole, part > 0 ? 60.0 : 0.0, 1000.0)) : 0;
  };
  m_state->setText(tr("from a short probe of this computer"));
  m_tokens.value->setText(roundedText(tokens));
  const double texts = number(estimate, "examples");
  m_tokens.remark->setText(texts == 1 ? tr("1 text") : tr("%1 texts").arg(roundedText(texts)));
  m_time.value->setText(durationText(seconds));
  m_time.remark->setText(seconds > 0 ? tr("at %1 tokens/s").arg(roundedText(tokens / seconds)) : QString());
  m_memory.value->setText(sizeText(memory));
  m_memory.remark->setText(tr("of %1 allowed").arg(sizeText(limit)));
  m_memory.bar->setValue(share(memory, limit));
  const double card = number(estimate, "card_bytes"), freeOnCard = number(estimate, "card_free");
  setShown(m_card, card > 0);
  m_card.value->setText(sizeText(card));
  m_card.remark->setText(freeOnCard > 0 ? tr("of %1 free").arg(sizeText(freeOnCard)) : QString());
  m_card.bar->setValue(share(card, freeOnCard));
  m_disk.value->setText(sizeText(disk));
  m_disk.remark->setText(tr("of %1 free").arg(sizeText(freeDisk)));
  if (estimate.contains("file_bytes")) {
    m_disk.remark->setText(tr("while it runs, %1 afterwards").arg(sizeText(number(estimate, "file_bytes"))));
    m_disk.remark->setToolTip(tr("Peak use, while both the finished texts and the file are on disk; %1 free")
                                  .arg(sizeText(freeDisk)));
  }
  m_disk.bar->setValue(share(disk, freeDisk));
  m_rows.value->setText(roundedText(number(estimate, "rows_per_head")));
  m_rows.remark->setText(
      number(estimate, "heads") == 1
          ? tr("queries and as many keys, 1 head")
          : tr("queries and as many keys per head, %1 heads").arg(roundedText(number(estimate, "heads"))));
  const bool fits =
      !estimate.contains("fits") || !estimate["fits"].is_boolean() || estimate["fits"].get<bool>();
  const QString caution = text(estimate, "caution");
  const QString verdict = fits ? tr("✓ It fits.") : tr("It does not fit. %1").arg(text(estimate, "advice"));
  m_verdict->setText(caution.isEmpty() ? verdict : verdict + QLatin1Char(' ') + caution);
  setLook(m_verdict, fits && caution.isEmpty() ? "good" : "caution");
}

}  // namespace plastiscope

#include "moc_estimate_box.cpp"
