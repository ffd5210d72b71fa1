#include "widgets/jobs/capture_list.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/store/work_folder.h"
#include "widgets/state/file_text.h"

namespace fs = std::filesystem;

namespace plastiscope {

CaptureList::CaptureList(const fs::path& folder, QString program, Workers& workers, JobList& jobs,
                         QObject* parent)
    : QObject(parent),
      m_program(std::move(program)),
      m_jobs(jobs),
      m_begun(folder / "captures.json"),
      m_snapshots(folder / "partial captures", m_program, workers, jobs),
      m_discarding(workers, WorkLength::Quick),
      m_searching(workers, WorkLength::Quick) {
  connect(&m_snapshots, &CaptureSnapshots::ready, this, &CaptureList::snapshotReady);
  connect(&m_snapshots, &CaptureSnapshots::gone, this, &CaptureList::snapshotGone);
  connect(&m_snapshots, &CaptureSnapshots::failed, this, &CaptureList::failed);
  connect(&m_snapshots, &CaptureSnapshots::busy, this,
          [this](const CaptureRequest& draft, bool now) { setViewable(draft, !now); });
  offerNew();
}

CaptureList::~CaptureList() = default;

void CaptureList::start(const CaptureRequest& draft) {
  keep(&BegunCaptures::remember, draft);
  m_running.push_back(std::make_unique<Running>());
  Running* capture = m_running.back().get();
  capture->draft = draft;
  capture->process = std::make_unique<CaptureProcess>(m_program, captureArguments(draft), fileText(draft.out),
                                                      fileText(draft.out.stem()));
  const auto before = draft.fresh ? std::nullopt : WorkFolder::summaryOf(draft.out);
  JobTicket* ticket = capture->process->ticket();
  ticket->setViewable(before && before->finished > 0);
  connect(ticket, &JobTicket::viewRequested, this, [this, capture] { view(capture->draft); });
  connect(capture->process.get(), &CaptureProcess::textFinished, ticket, [ticket](std::int64_t count) {
    if (count == 1) ticket->setViewable(true);
  });
  connect(capture->process.get(), &CaptureProcess::ended, this,
          [this, capture](const CaptureEnd& end) { finish(capture, end); });
  m_jobs.add(ticket);
  capture->process->start(before ? before->finished : 0);
  Q_EMIT changed();
}

void CaptureList::finish(Running* capture, const CaptureEnd& end) {
  const CaptureRequest draft = capture->draft;
  // Not from inside a signal of the process.
  QMetaObject::invokeMethod(
      this,
      [this, capture, end, draft] {
        std::erase_if(m_running, [capture](const auto& each) { return each.get() == capture; });
        if (!WorkFolder::summaryOf(draft.out)) keep(&BegunCaptures::forget, draft);
        if (end.kind == CaptureEnd::Kind::Done) m_snapshots.drop(draft);
        offerNew();  // how it ended is told anyway
        Q_EMIT changed();
        Q_EMIT ended(end, draft);
      },
      Qt::QueuedConnection);
}

void CaptureList::search(const fs::path& folder) {
  m_searching.start([folder](Progress&) { return findBegunCaptures(folder); },
                    [this](Outcome<std::vector<CaptureRequest>> drafts) {
                      if (!drafts.ok()) return;  // a folder that is not there has no captures
                      m_begun.setFound(std::move(*drafts.value));
                      Q_EMIT changed();
                      if (offerNew()) Q_EMIT found();
                    });
}

bool CaptureList::offerNew() {
  bool news = false;
  for (const UnfinishedCapture& each : unfinished()) news = m_offered.insert(each.draft.out).second || news;
  return news;
}

std::vector<UnfinishedCapture> CaptureList::unfinished() const {
  std::vector<UnfinishedCapture> all = m_begun.unfinished();
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
      [this, draft](const Outcome<bool>& removed) {
        if (removed.ok()) {
          keep(&BegunCaptures::forget, draft);
          m_snapshots.drop(draft);
        }
        if (!removed.ok() && !removed.stopped()) Q_EMIT failed(removed.failure.sentence);
        Q_EMIT changed();
      });
}

void CaptureList::setViewable(const CaptureRequest& draft, bool viewable) {
  for (const auto& running : m_running) {
    if (running->draft.out == draft.out) running->process->ticket()->setViewable(viewable);
  }
}

void CaptureList::keep(void (BegunCaptures::*change)(const CaptureRequest&), const CaptureRequest& draft) {
  try {
    (m_begun.*change)(draft);
  } catch (const std::exception& error) {  // also of paths that are no UTF-8
    Q_EMIT failed(tr("The list of captures could not be saved. %1").arg(sanitizedText(error.what())));
  }
}

}  // namespace plastiscope
