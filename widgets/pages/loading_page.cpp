#include "widgets/pages/loading_page.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPointer>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>
#include <cmath>

#include "widgets/state/file_text.h"
#include "widgets/state/icons.h"

namespace plastiscope {
namespace {
constexpr int kWidth = 460, kSteps = 1000;
}

LoadingPage::LoadingPage(std::filesystem::path file, JobTicket& ticket, QWidget* parent)
    : QWidget(parent),
      m_file(std::move(file)),
      m_title(new QLabel(this)),
      m_state(new QLabel(this)),
      m_note(new QLabel(this)),
      m_bar(new QProgressBar(this)),
      m_cancel(new QPushButton(tr("Cancel"), this)),
      m_retry(new QPushButton(tr("Try again"), this)) {
  setObjectName(QStringLiteral("pageHost"));
  m_title->setProperty("strong", true);
  m_title->setTextFormat(Qt::PlainText);
  m_note->setTextFormat(Qt::PlainText);
  m_title->setText(fileText(m_file.filename()));
  m_state->setObjectName(QStringLiteral("loadingState"));
  m_state->setTextFormat(Qt::PlainText);
  m_state->setWordWrap(true);
  m_state->setProperty("muted", true);
  m_state->setTextInteractionFlags(Qt::TextSelectableByMouse);
  m_note->setProperty("muted", true);
  m_bar->setTextVisible(false);
  m_retry->hide();
  auto* buttons = new QHBoxLayout;
  buttons->addWidget(m_note, 1);
  buttons->addWidget(m_retry);
  buttons->addWidget(m_cancel);
  auto* box = new QWidget(this);
  box->setFixedWidth(kWidth);
  auto* inner = new QVBoxLayout(box);
  inner->setSpacing(10);
  inner->addWidget(m_title);
  inner->addWidget(m_state);
  inner->addWidget(m_bar);
  inner->addLayout(buttons);
  auto* row = new QHBoxLayout;
  row->addStretch(1);
  row->addWidget(box);
  row->addStretch(1);
  auto* column = new QVBoxLayout(this);
  column->addStretch(2);
  column->addLayout(row);
  column->addStretch(3);

  connect(&ticket, &JobTicket::changed, this, [this, pointer = QPointer<JobTicket>(&ticket)] {
    if (pointer) refresh(*pointer);
  });
  connect(m_cancel, &QPushButton::clicked, &ticket, &JobTicket::cancel);
  connect(m_retry, &QPushButton::clicked, this, &LoadingPage::retryRequested);
  refresh(ticket);
}

void LoadingPage::refresh(const JobTicket& ticket) {
  const ProgressState& progress = ticket.progress();
  const bool known = progress.total > 0;
  m_failed = ticket.state() == JobTicket::State::Failed || ticket.state() == JobTicket::State::Stopped;
  if (m_failed) {
    m_state->setText(ticket.sentence().isEmpty() ? tr("Stopped.") : ticket.sentence());
    m_bar->hide();
    m_cancel->hide();
    m_note->clear();
    m_retry->show();
    return;
  }
  const QString stage = stageText(progress.stage);
  m_state->setText(stage.isEmpty() ? tr("Opening …")
                                   : QStringLiteral("%1 … %2").arg(stage, doneText(progress)));
  m_note->setText(timeLeftText(progress.etaSeconds));
  m_bar->setRange(0, known ? kSteps : 0);
  if (known) m_bar->setValue(static_cast<int>(std::lround(kSteps * progress.done / progress.total)));
  m_cancel->setEnabled(ticket.state() == JobTicket::State::Running);
}

}  // namespace plastiscope
