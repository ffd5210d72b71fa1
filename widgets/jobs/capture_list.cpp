#include "widgets/jobs/capture_list.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/store/capture_file.h"
#include "core/store/work_folder.h"
#include "widgets/state/file_text.h"

namespace fs = std::filesystem;

namespace plastiscope {

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

struct CaptureSnapshots::Look {
  explicit Look(Workers& workers) : runner(workers, WorkLength::Quick) {}
  CaptureRequest draft;
  std::unique_ptr<CaptureProcess> process;
  JobRunner runner;
};

CaptureSnapshots::CaptureSnapshots(fs::path folder, QString program, Workers& workers, JobList& jobs,
                                   QObject* parent)
    : QObject(parent),
      m_folder(std::move(folder)),
      m_program(std::move(program)),
      m_workers(workers),
      m_jobs(jobs) {}

CaptureSnapshots::~CaptureSnapshots() = default;

void CaptureSnapshots::view(const CaptureRequest& draft) {
  Q_EMIT busy(draft, true);
  m_looks.push_back(std::make_unique<Look>(m_workers));
  Look* look = m_looks.back().get();
  look->draft = draft;
  const QString name = fileText(draft.out.stem());
  const QString out = fileText(m_folder / (draft.out.stem().string() + ".h5"));
  look->process = std::make_unique<CaptureProcess>(
      m_program, captureArguments(draft) + QStringList{QStringLiteral("--snapshot"), out}, out,
      tr("finished texts of %1").arg(name));
  connect(look->process.get(), &CaptureProcess::ended, this,
          [this, look](const CaptureEnd& end) { collected(look, end); });
  m_jobs.add(look->process->handle());
  look->process->start(-1);
}

void CaptureSnapshots::collected(Look* look, const CaptureEnd& end) {
  const CaptureRequest draft = look->draft;
  if (end.kind != CaptureEnd::Kind::Done) {
    Q_EMIT busy(draft, false);
    if (end.kind != CaptureEnd::Kind::Stopped) Q_EMIT failed(end.sentence);
    return removeLater(look);
  }
  look->runner.start(
      [file = fileOfText(look->process->out()), draft](Progress&) { return named(file, draft); },
      [this, look, draft](const JobResult<fs::path>& file) {
        Q_EMIT busy(draft, false);
        if (file.ok()) {
          if (m_shown[draft.out] != *file.value) drop(draft);
          m_shown[draft.out] = *file.value;
          Q_EMIT ready(*file.value);
        } else if (!file.stopped()) {
          Q_EMIT failed(file.failure.sentence);
        }
        removeLater(look);
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

// Deferred: must not run inside a signal of the process.
void CaptureSnapshots::removeLater(Look* look) {
  QMetaObject::invokeMethod(
      this, [this, look] { std::erase_if(m_looks, [look](const auto& each) { return each.get() == look; }); },
      Qt::QueuedConnection);
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
  capture->process = std::make_unique<CaptureProcess>(m_program, captureArguments(draft), fileText(draft.out),
                                                      fileText(draft.out.stem()));
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
