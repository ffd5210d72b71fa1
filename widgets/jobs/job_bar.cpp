#include "widgets/jobs/job_bar.h"

#include <QLabel>
#include <QMenu>
#include <QProgressBar>
#include <QPushButton>
#include <QToolButton>
#include <cmath>

#include "widgets/jobs/capture_list.h"
#include "widgets/state/file_text.h"
#include "widgets/state/icons.h"
#include "widgets/state/small_widgets.h"

namespace plastiscope {
namespace {

constexpr int kHeight = 36, kBarWidth = 220, kSteps = 1000;

QString titleOf(const JobHandle& job) {
  const QString stage = stageText(job.progress().stage);
  if (job.state() == JobHandle::State::Stopping) return JobBar::tr("Stopping: %1").arg(job.title());
  return stage.isEmpty() ? job.title() : QStringLiteral("%1 · %2").arg(stage, job.title());
}

}  // namespace

JobBar::JobBar(JobList& jobs, QWidget* parent)
    : QFrame(parent),
      m_jobs(jobs),
      m_title(named("jobTitle", styledLabel({}, "strong", this))),
      m_done(named("jobDone", styledLabel({}, nullptr, this))),
      m_rate(styledLabel({}, "muted", this)),
      m_left(named("jobLeft", styledLabel({}, "muted", this))),
      m_idle(styledLabel({}, "muted", this)),
      m_note(styledLabel({}, "muted", this)),
      m_bar(new QProgressBar(this)),
      m_menu(new QMenu(this)),
      m_unfinishedMenu(new QMenu(this)),
      m_elsewhereMenu(new QMenu(this)),
      m_more(menuButton(m_menu, tr("Other jobs"))),
      m_unfinished(named(
          "jobUnfinished",
          menuButton(m_unfinishedMenu, tr("Captures that were interrupted: resume, view or discard them")))),
      m_elsewhere(
          named("jobElsewhere",
                menuButton(m_elsewhereMenu,
                           tr("Captures that other processes write to the capture folder: a command line, "
                              "another window, another computer.\nFinished texts can be viewed.")))),
      m_view(
          named("jobView",
                smallButton(tr("View"),
                            tr("Open the finished texts; click again later to include newer ones"), this))),
      m_cancel(
          named("jobCancel", smallButton(tr("Cancel"), tr("Stop this job; finished work is kept"), this))) {
  // A click does not take the focus: the button disappears with its job.
  m_cancel->setFocusPolicy(Qt::TabFocus);
  setObjectName(QStringLiteral("jobBar"));
  setFixedHeight(kHeight);
  m_cancel->setIcon(lineIcon(QStringLiteral("close")));
  m_idle->setText(tr("No jobs running"));
  m_bar->setTextVisible(false);
  m_bar->setFixedWidth(kBarWidth);
  m_view->setIcon(lineIcon(QStringLiteral("open")));
  m_unfinished->hide();
  m_elsewhere->hide();

  rowIn(this,
        {m_idle, m_title, m_bar, m_done, m_rate, m_left, Stretch(), m_note, m_elsewhere, m_unfinished, m_more,
         m_view, m_cancel},
        {.margins = {10, 0, 10, 0}, .spacing = 12});

  connect(&m_jobs, &JobList::changed, this, &JobBar::refresh);
  connect(m_menu, &QMenu::aboutToShow, this, &JobBar::fillMenu);
  connect(m_cancel, &QPushButton::clicked, this, [this] {
    if (JobHandle* job = shown()) job->cancel();
  });
  connect(m_view, &QPushButton::clicked, this, [this] {
    if (JobHandle* job = shown()) job->view();
  });
  refresh();
}

QToolButton* JobBar::menuButton(QMenu* menu, const QString& tip) {
  auto* button = new QToolButton(this);
  button->setMenu(menu);
  button->setPopupMode(QToolButton::InstantPopup);
  button->setToolTip(tip);
  return button;
}

void JobBar::offerUnfinished(CaptureList& captures) {
  const auto showCounts = [this, &captures] {
    const std::size_t count = captures.unfinished().size();
    m_unfinished->setVisible(count > 0);
    m_unfinished->setText(count == 1 ? tr("1 unfinished capture") : tr("%1 unfinished captures").arg(count));
    const auto& others = captures.runningElsewhere();
    m_elsewhere->setVisible(!others.empty());
    if (others.size() == 1) {
      const UnfinishedCapture& one = others.front();
      m_elsewhere->setText(
          tr("%1 runs elsewhere: %2 / %3")
              .arg(fileText(one.draft.out.stem()), groupedText(one.finished), groupedText(one.total)));
    } else {
      m_elsewhere->setText(tr("%1 captures run elsewhere").arg(others.size()));
    }
  };
  connect(&captures, &CaptureList::changed, this, showCounts);
  connect(m_unfinishedMenu, &QMenu::aboutToShow, this,
          [this, &captures] { fillUnfinishedMenu(*m_unfinishedMenu, captures, captures.unfinished()); });
  connect(m_elsewhereMenu, &QMenu::aboutToShow, this,
          [this, &captures] { fillUnfinishedMenu(*m_elsewhereMenu, captures, captures.runningElsewhere()); });
  showCounts();
}

JobHandle* JobBar::shown() const {
  if (m_jobs.active().isEmpty()) return nullptr;
  return m_chosen && m_jobs.active().contains(m_chosen.data()) ? m_chosen.data() : m_jobs.active().last();
}

void JobBar::fillMenu() {
  m_menu->clear();
  for (JobHandle* job : m_jobs.active()) {
    QAction* action = m_menu->addAction(titleOf(*job));
    action->setCheckable(true);
    action->setChecked(job == shown());
    connect(action, &QAction::triggered, this, [this, pointer = QPointer<JobHandle>(job)] {
      m_chosen = pointer;
      refresh();
    });
  }
}

void JobBar::refresh() {
  const JobHandle* job = shown();
  for (QWidget* each :
       std::initializer_list<QWidget*>{m_title, m_bar, m_done, m_rate, m_left, m_cancel, m_note})
    each->setVisible(job != nullptr);
  m_idle->setVisible(job == nullptr);
  m_more->setVisible(m_jobs.active().size() > 1);
  m_view->setVisible(job && job->viewable());
  if (!job) return;
  const ProgressState& progress = job->progress();
  const bool known = progress.total > 0;
  m_title->setText(titleOf(*job));
  m_bar->setRange(0, known ? kSteps : 0);  // 0..0: busy indicator, total unknown
  if (known) m_bar->setValue(std::lround(kSteps * progress.done / progress.total));
  const bool inShares = job->finished() >= 0 && progress.stage == "capture";
  m_done->setText(doneText(progress, inShares ? job->finished() : -1));
  m_done->setToolTip(
      inShares
          ? tr("Texts that are finished and kept, and the share of all tokens that is computed.\nShort texts "
               "are computed together for speed, up to some 8,192 tokens at once (65,536 on a GPU), and are "
               "finished together.\nPartial work is saved too, about every 20 seconds and on cancel.")
          : QString());
  m_rate->setText(rateText(progress));
  m_left->setText(timeLeftText(progress.etaSeconds));
  m_note->setText(job->sentence());
  m_more->setText(tr("%n more", nullptr, m_jobs.active().size() - 1));
  m_cancel->setEnabled(job->state() == JobHandle::State::Running);
}

}  // namespace plastiscope

#include "moc_job_bar.cpp"
