#include "widgets/pages/file_pages.h"

#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QPointer>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>
#include <cmath>

#include "widgets/state/file_text.h"
#include "widgets/state/icons.h"
#include "widgets/state/small_widgets.h"

namespace fs = std::filesystem;

namespace plastiscope {
namespace {

constexpr int kLoadingWidth = 460, kProgressSteps = 1000;
constexpr int kMissingWidth = 560, kMissingIcon = 28, kTitlePoints = 3;

// Places a box slightly above the middle of the page.
void centre(QWidget* box, QWidget& page) {
  columnIn(&page, {Stretch{2}, rowOf({Stretch(), box, Stretch()}), Stretch{3}});
}

QLabel* fileLabel(const char* name, const QString& text, const char* look, QWidget* parent,
                  double points = 0) {
  auto* label = styledLabel(text, look, parent, points);
  label->setObjectName(QString::fromLatin1(name));
  label->setWordWrap(true);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  return label;
}

}  // namespace

LoadingPage::LoadingPage(std::filesystem::path file, JobHandle& handle, QWidget* parent)
    : QWidget(parent),
      m_file(std::move(file)),
      m_title(styledLabel(fileText(m_file.filename()), "strong", this)),
      m_state(fileLabel("loadingState", {}, "muted", this)),
      m_note(styledLabel({}, "muted", this)),
      m_bar(new QProgressBar(this)),
      m_cancel(new QPushButton(tr("Cancel"), this)),
      m_retry(new QPushButton(tr("Try again"), this)) {
  setObjectName(QStringLiteral("pageHost"));
  m_bar->setTextVisible(false);
  m_retry->hide();
  auto* buttons = rowOf({{m_note, 1}, m_retry, m_cancel});
  auto* box = new QWidget(this);
  box->setFixedWidth(kLoadingWidth);
  columnIn(box, {m_title, m_state, m_bar, buttons}, {.spacing = 10});
  centre(box, *this);

  connect(&handle, &JobHandle::changed, this, [this, pointer = QPointer<JobHandle>(&handle)] {
    if (pointer) refresh(*pointer);
  });
  connect(m_cancel, &QPushButton::clicked, &handle, &JobHandle::cancel);
  connect(m_retry, &QPushButton::clicked, this, &LoadingPage::retryRequested);
  refresh(handle);
}

void LoadingPage::refresh(const JobHandle& handle) {
  const ProgressState& progress = handle.progress();
  const bool known = progress.total > 0;
  m_failed = handle.state() == JobHandle::State::Failed || handle.state() == JobHandle::State::Stopped;
  if (m_failed) {
    m_state->setText(handle.sentence().isEmpty() ? tr("Stopped.") : handle.sentence());
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
  m_bar->setRange(0, known ? kProgressSteps : 0);
  if (known) m_bar->setValue(static_cast<int>(std::lround(kProgressSteps * progress.done / progress.total)));
  m_cancel->setEnabled(handle.state() == JobHandle::State::Running);
}

MissingPage::MissingPage(SessionTab tab, const QString& why, bool gone, QWidget* parent)
    : QWidget(parent), m_tab(std::move(tab)), m_why(why) {
  setObjectName(QStringLiteral("pageHost"));
  const QString name = fileText(m_tab.file.filename());
  auto* box = new QFrame(this);
  box->setProperty("card", QStringLiteral("true"));
  box->setFixedWidth(kMissingWidth);
  auto* icon =
      new IconLabel(kMissingIcon, box, lineIcon(QStringLiteral("warning"), QStringLiteral("caution")));
  icon->setFixedWidth(kMissingIcon);
  icon->setAlignment(Qt::AlignTop);
  auto* texts = columnOf(
      {fileLabel("missingTitle",
                 gone ? tr("%1 was not found").arg(name) : tr("%1 cannot be opened").arg(name), "strong", box,
                 kTitlePoints),
       fileLabel("missingReason", why, "plain", box),
       fileLabel("missingPlace", tr("Last seen in %1").arg(fileText(m_tab.file.parent_path())), "muted", box),
       fileLabel("missingPromise",
                 tr("The tab keeps its place, head and view, and shows them again as soon as the file is "
                    "found again, under any name."),
                 "muted", box)},
      {.spacing = 8});
  auto* top = rowOf({icon, {texts, 1}}, {.spacing = 16});

  m_refusalRow = new QFrame(box);
  m_refusal = fileLabel("missingRefusal", {}, "caution", m_refusalRow);
  m_open = named("missingOpen", new QPushButton(tr("Open it anyway"), m_refusalRow));
  rowIn(m_refusalRow, {{m_refusal, 1}, m_open}, {.margins = {kMissingIcon + 16, 0, 0, 0}});
  m_refusalRow->hide();

  QPushButton* locate = addButton("missingLocate", tr("Locate …"), tr("Choose the file where it is now"));
  locate->setProperty("main", true);
  QPushButton* retry =
      addButton("missingRetry", tr("Try again"), tr("Look for the file again in its old place"));
  m_showAnalysis = addButton("missingAnalysis", tr("Show its analysis"), {});
  m_showAnalysis->hide();
  QPushButton* close = addButton("missingClose", tr("Close tab"), {});
  auto* buttons = rowOf({locate, retry, m_showAnalysis, Stretch(), close},
                        {.margins = {kMissingIcon + 16, 4, 0, 0}, .spacing = 8});

  columnIn(box, {top, m_refusalRow, buttons}, {.margins = {24, 22, 24, 20}, .spacing = 14});
  centre(box, *this);
  setFocusProxy(locate);

  connect(locate, &QPushButton::clicked, this, &MissingPage::locateRequested);
  connect(retry, &QPushButton::clicked, this, &MissingPage::retryRequested);
  connect(close, &QPushButton::clicked, this, &MissingPage::closeRequested);
  connect(m_open, &QPushButton::clicked, this, [this] { Q_EMIT openRequested(m_refused); });
  connect(m_showAnalysis, &QPushButton::clicked, this, [this] { Q_EMIT analysisRequested(m_analysis); });
}

QPushButton* MissingPage::addButton(const char* name, const QString& text, const QString& tip) {
  auto* button = new QPushButton(text, this);
  button->setObjectName(QString::fromLatin1(name));
  button->setToolTip(tip);
  return button;
}

void MissingPage::refuse(const fs::path& file, const QString& sentence) {
  m_refused = file;
  m_refusal->setText(sentence);
  m_refusalRow->show();
}

void MissingPage::offerAnalysis(const fs::path& analysis) {
  m_analysis = analysis;
  m_showAnalysis->setToolTip(
      plainTip(tr("%1: what the analysis alone can show").arg(fileText(analysis.filename()))));
  m_showAnalysis->show();
}

}  // namespace plastiscope

#include "moc_file_pages.cpp"
