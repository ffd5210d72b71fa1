#include "widgets/jobs/capture_list.h"

#include <QAbstractButton>
#include <QMenu>
#include <QMessageBox>
#include <algorithm>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/store/capture_file.h"
#include "core/store/work_folder.h"
#include "widgets/jobs/capture_process.h"
#include "widgets/state/file_text.h"
#include "widgets/state/icons.h"

namespace fs = std::filesystem;

namespace plastiscope {

namespace {

constexpr int kVersion = 1;

std::vector<CaptureRequest> readDrafts(const StateFile& file) {
  std::vector<CaptureRequest> drafts;
  const Json content = file.read();
  if (!content.is_object() || !content.contains("begun")) return drafts;
  for (const Json& each : content["begun"]) {
    try {
      CaptureRequest draft = CaptureRequest::fromJson(each);
      draft.fresh = false;
      // Skipped if it was finished or deleted meanwhile: nothing is left to resume.
      if (WorkFolder::summaryOf(draft.out)) drafts.push_back(std::move(draft));
    } catch (const Error&) {
      // from another program version: its work folder is kept
    }
  }
  return drafts;
}

bool contains(const std::vector<CaptureRequest>& drafts, const fs::path& out) {
  return std::ranges::find(drafts, out, &CaptureRequest::out) != drafts.end();
}

void eraseOutput(std::vector<CaptureRequest>& drafts, const fs::path& out) {
  std::erase_if(drafts, [&](const CaptureRequest& each) { return each.out == out; });
}

}  // namespace

QString UnfinishedCapture::sentence() const {
  const QString name = fileText(draft.out.stem());
  if (runsElsewhere)
    return CaptureList::tr("%1 is being captured by another process: %2 of %3 texts.")
        .arg(name, groupedText(finished), groupedText(total));
  if (total <= 0) return CaptureList::tr("The capture %1 was interrupted before its first text.").arg(name);
  if (share > 0 && finished == 0)
    return CaptureList::tr(
               "The capture %1 was interrupted at %2 of its work, which is kept, before the first of %3 "
               "texts was finished.")
        .arg(name, shareText(share), groupedText(total));
  if (share > 0)
    return CaptureList::tr(
               "The capture %1 was interrupted after %2 of %3 texts, at %4 of its work, which is kept.")
        .arg(name, groupedText(finished), groupedText(total), shareText(share));
  if (finished == 0)
    return CaptureList::tr("The capture %1 was interrupted before the first of %2 texts was finished.")
        .arg(name, groupedText(total));
  return CaptureList::tr("The capture %1 was interrupted after %2 of %3 texts, which are kept.")
      .arg(name, groupedText(finished), groupedText(total));
}

FoundCaptures findUnfinishedCaptures(const fs::path& folder) {
  FoundCaptures found;
  for (const fs::path& out : WorkFolder::outputsIn(folder)) {
    try {
      CaptureRequest draft = CaptureRequest::fromJson(WorkFolder::requestOf(out));
      draft.out = out;  // the folder may have been moved
      draft.fresh = false;
      const auto work = WorkFolder::summaryOf(out);
      if (work && work->busy)
        found.running.push_back({draft, work->finished, work->total, true, work->parkedShare});
      found.drafts.push_back(std::move(draft));
    } catch (const Error&) {
      // from a version that did not store its settings: only its command can resume it
    }
  }
  return found;
}

UnfinishedCaptures::UnfinishedCaptures(const fs::path& file)
    : m_file(file, "plastiscope-captures", kVersion), m_own(readDrafts(m_file)) {}

void UnfinishedCaptures::setFound(FoundCaptures found) {
  m_found = std::move(found.drafts);
  m_running = std::move(found.running);
  std::erase_if(m_running, [this](const UnfinishedCapture& each) { return contains(m_own, each.draft.out); });
}

void UnfinishedCaptures::remember(const CaptureRequest& draft) {
  eraseOutput(m_own, draft.out);
  m_own.push_back(draft);
  save();
}

void UnfinishedCaptures::forget(const CaptureRequest& draft) {
  eraseOutput(m_own, draft.out);
  eraseOutput(m_found, draft.out);
  save();
}

std::vector<UnfinishedCapture> UnfinishedCaptures::unfinished() const {
  std::vector<UnfinishedCapture> all;
  for (const CaptureRequest& draft : m_own) {
    if (const auto work = WorkFolder::summaryOf(draft.out))
      all.push_back({draft, work->finished, work->total, work->busy, work->parkedShare});
  }
  for (const CaptureRequest& draft : m_found) {
    const auto work = contains(m_own, draft.out) ? std::nullopt : WorkFolder::summaryOf(draft.out);
    if (work && !work->busy) all.push_back({draft, work->finished, work->total, false, work->parkedShare});
  }
  return all;
}

void UnfinishedCaptures::save() {
  Json begun = Json::array();
  for (const CaptureRequest& draft : m_own) begun.push_back(draft.toJson());
  m_file.write({{"begun", begun}});
}

void fillUnfinishedMenu(QMenu& menu, CaptureList& captures, const std::vector<UnfinishedCapture>& shown) {
  menu.clear();
  for (const UnfinishedCapture& each : shown) {
    const CaptureRequest draft = each.draft;
    QString title =
        QStringLiteral("%1   %2 / %3").arg(fileText(draft.out.stem())).arg(each.finished).arg(each.total);
    if (each.share > 0) title += QStringLiteral(" · ") + shareText(each.share);
    QMenu* actions = menu.addMenu(title);
    actions->setToolTip(plainTip(each.sentence()));
    QAction* resume = actions->addAction(lineIcon(QStringLiteral("play")), CaptureList::tr("Resume"));
    QAction* view =
        actions->addAction(lineIcon(QStringLiteral("open")), CaptureList::tr("View finished texts"));
    QAction* discard = actions->addAction(lineIcon(QStringLiteral("trash")), CaptureList::tr("Discard …"));
    resume->setEnabled(!each.runsElsewhere);
    discard->setEnabled(!each.runsElsewhere);
    view->setEnabled(each.finished > 0);
    QObject::connect(resume, &QAction::triggered, &captures, [&captures, draft] { captures.start(draft); });
    QObject::connect(view, &QAction::triggered, &captures, [&captures, draft] { captures.view(draft); });
    QObject::connect(
        discard, &QAction::triggered, &captures,
        [&captures, draft, parent = menu.parentWidget()] { discardAfterAsking(captures, draft, parent); });
  }
}

void discardAfterAsking(CaptureList& captures, const CaptureRequest& draft, QWidget* parent) {
  auto* question = new QMessageBox(
      QMessageBox::Question, CaptureList::tr("Discard the capture?"),
      CaptureList::tr("The finished texts of %1 will be deleted, and the capture can no longer be resumed.")
          .arg(fileText(draft.out.filename())),
      QMessageBox::Discard | QMessageBox::Cancel, parent);
  question->setTextFormat(Qt::PlainText);
  question->setAttribute(Qt::WA_DeleteOnClose);
  QObject::connect(question, &QMessageBox::buttonClicked, &captures,
                   [&captures, draft, question](QAbstractButton* button) {
                     if (question->standardButton(button) == QMessageBox::Discard) captures.discard(draft);
                   });
  question->open();
}

namespace {

// Intervals between searches for captures of other processes, while there are some and while there are none.
constexpr int kFollowMs = 5'000, kLookMs = 30'000;

// A file name with the amount of the capture in the file.
fs::path named(const fs::path& file, const CaptureRequest& draft) {
  const Json settings = openCapture(file)->info().settings;
  const auto count = [&](const char* key) { return std::to_string(settings.value(key, std::int64_t{0})); };
  fs::path name = file.parent_path() / (draft.out.stem().string() + " partial " + count("examples") + " of " +
                                        count("partial_of") + ".h5");
  fs::rename(file, name);
  return name;
}

}  // namespace

CaptureSnapshots::CaptureSnapshots(fs::path folder, QString program, Workers& workers, JobList& jobs,
                                   QObject* parent)
    : QObject(parent),
      m_folder(std::move(folder)),
      m_program(std::move(program)),
      m_workers(workers),
      m_jobs(jobs) {}

void CaptureSnapshots::view(const CaptureRequest& draft) {
  Q_EMIT busy(draft, true);
  const QString out = fileText(m_folder / (draft.out.stem().string() + ".h5"));
  auto* process = new CaptureProcess(
      m_program,
      captureChildArguments(captureArguments(draft) + QStringList{QStringLiteral("--snapshot"), out}), out,
      tr("finished texts of %1").arg(fileText(draft.out.stem())), this);
  connect(process, &CaptureProcess::ended, this,
          [this, draft, process](const CaptureEnd& end) { collected(draft, process, end); });
  m_jobs.add(process->handle());
  process->start(-1);
}

void CaptureSnapshots::collected(const CaptureRequest& draft, CaptureProcess* process,
                                 const CaptureEnd& end) {
  process->deleteLater();
  if (end.kind != CaptureEnd::Kind::Done) {
    Q_EMIT busy(draft, false);
    if (end.kind != CaptureEnd::Kind::Stopped) Q_EMIT failed(end.sentence);
    return;
  }
  auto* runner = new JobRunner(m_workers, WorkLength::Quick, this);
  runner->start([file = fileOfText(process->out()), draft](Progress&) { return named(file, draft); },
                [this, draft, runner](const JobResult<fs::path>& file) {
                  runner->deleteLater();
                  Q_EMIT busy(draft, false);
                  if (file.ok()) {
                    if (m_shown[draft.out] != *file.value) drop(draft);
                    m_shown[draft.out] = *file.value;
                    Q_EMIT ready(*file.value);
                  } else if (!file.stopped()) {
                    Q_EMIT failed(file.failure.sentence);
                  }
                });
}

void CaptureSnapshots::drop(const CaptureRequest& draft) {
  const auto shown = m_shown.extract(draft.out);
  if (shown.empty() || shown.mapped().empty()) return;
  fs::path file = shown.mapped();
  Q_EMIT gone(file);
  std::error_code ignored;  // a leftover file is harmless
  fs::remove(file, ignored);
  fs::remove(file.replace_extension(".analysis.h5"), ignored);
}

CaptureList::CaptureList(const fs::path& folder, QString program, Workers& workers, JobList& jobs,
                         QObject* parent)
    : QObject(parent),
      m_program(std::move(program)),
      m_jobs(jobs),
      m_unfinished(folder / "captures.json"),
      m_snapshots(folder / "partial captures", m_program, workers, jobs),
      m_discarding(workers, WorkLength::Quick),
      m_searching(workers, WorkLength::Quick) {
  connect(&m_snapshots, &CaptureSnapshots::ready, this, &CaptureList::snapshotReady);
  connect(&m_snapshots, &CaptureSnapshots::gone, this, &CaptureList::snapshotGone);
  connect(&m_snapshots, &CaptureSnapshots::failed, this, &CaptureList::failed);
  connect(&m_snapshots, &CaptureSnapshots::busy, this,
          [this](const CaptureRequest& draft, bool now) { setViewable(draft, !now); });
  m_nextSearch.setSingleShot(true);
  offerNew();
}

CaptureList::~CaptureList() = default;

void CaptureList::start(const CaptureRequest& draft) {
  keep(&UnfinishedCaptures::remember, draft);
  m_running.push_back(std::make_unique<Running>());
  Running* capture = m_running.back().get();
  capture->draft = draft;
  capture->process =
      std::make_unique<CaptureProcess>(m_program, captureChildArguments(captureArguments(draft)),
                                       fileText(draft.out), fileText(draft.out.stem()));
  const auto before = draft.fresh ? std::nullopt : WorkFolder::summaryOf(draft.out);
  JobHandle* handle = capture->process->handle();
  handle->setViewable(before && before->finished > 0);
  connect(handle, &JobHandle::viewRequested, this, [this, capture] { view(capture->draft); });
  connect(capture->process.get(), &CaptureProcess::textFinished, handle, [handle](std::int64_t count) {
    if (count == 1) handle->setViewable(true);
  });
  connect(capture->process.get(), &CaptureProcess::ended, this,
          [this, capture](const CaptureEnd& end) { finish(capture, end); });
  m_jobs.add(handle);
  capture->process->start(before ? before->finished : 0);
  Q_EMIT changed();
}

void CaptureList::finish(Running* capture, const CaptureEnd& end) {
  const CaptureRequest draft = capture->draft;
  // Deferred: must not run inside a signal of the process.
  QMetaObject::invokeMethod(
      this,
      [this, capture, end, draft] {
        std::erase_if(m_running, [capture](const auto& each) { return each.get() == capture; });
        const bool isOver = !WorkFolder::summaryOf(draft.out);
        if (isOver) keep(&UnfinishedCaptures::forget, draft);
        if (end.kind == CaptureEnd::Kind::Done) m_snapshots.drop(draft);
        offerNew();  // its result is reported anyway
        Q_EMIT changed();
        Q_EMIT ended(end, draft);
        if (isOver) Q_EMIT over(draft);
      },
      Qt::QueuedConnection);
}

void CaptureList::search(const fs::path& folder) {
  m_searching.start([folder](Progress&) { return findUnfinishedCaptures(folder); },
                    [this, folder](JobResult<FoundCaptures> captures) {
                      if (!captures.ok()) return;  // a missing folder has no captures
                      m_unfinished.setFound(std::move(*captures.value));
                      Q_EMIT changed();
                      if (offerNew()) Q_EMIT found();
                      m_nextSearch.disconnect();
                      connect(&m_nextSearch, &QTimer::timeout, this, [this, folder] { search(folder); });
                      m_nextSearch.start(runningElsewhere().empty() ? kLookMs : kFollowMs);
                    });
}

bool CaptureList::offerNew() {
  bool news = false;
  for (const UnfinishedCapture& each : unfinished()) news = m_offered.insert(each.draft.out).second || news;
  return news;
}

std::vector<UnfinishedCapture> CaptureList::unfinished() const {
  std::vector<UnfinishedCapture> all = m_unfinished.unfinished();
  std::erase_if(all, [this](const UnfinishedCapture& each) {
    return std::ranges::any_of(m_running,
                               [&](const auto& running) { return running->draft.out == each.draft.out; });
  });
  return all;
}

void CaptureList::discard(const CaptureRequest& draft) {
  m_discarding.start(
      [out = draft.out](Progress&) {
        WorkFolder(out, Json::object(), true).remove();
        return true;
      },
      [this, draft](const JobResult<bool>& removed) {
        if (removed.ok()) {
          keep(&UnfinishedCaptures::forget, draft);
          m_snapshots.drop(draft);
          Q_EMIT over(draft);
        }
        if (!removed.ok() && !removed.stopped()) Q_EMIT failed(removed.failure.sentence);
        Q_EMIT changed();
      });
}

void CaptureList::setViewable(const CaptureRequest& draft, bool viewable) {
  for (const auto& running : m_running) {
    if (running->draft.out == draft.out) running->process->handle()->setViewable(viewable);
  }
}

void CaptureList::keep(void (UnfinishedCaptures::*change)(const CaptureRequest&),
                       const CaptureRequest& draft) {
  try {
    (m_unfinished.*change)(draft);
  } catch (const std::exception& error) {  // also for paths that are not UTF-8
    Q_EMIT failed(tr("The list of captures could not be saved. %1").arg(sanitizedText(error.what())));
  }
}

}  // namespace plastiscope

#include "moc_capture_list.cpp"
