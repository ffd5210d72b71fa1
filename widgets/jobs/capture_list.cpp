#include "widgets/jobs/capture_list.h"

#include <algorithm>
#include <cstdint>

#include "core/base/error.h"
#include "core/store/capture_file.h"
#include "core/store/work_folder.h"

namespace fs = std::filesystem;

namespace plastiscope {
namespace {

constexpr int kVersion = 1;
constexpr const char* kPartials = "partial captures";

QString nameOf(const CaptureDraft& draft) {
  return QString::fromStdString(draft.out.stem().string());
}

std::vector<CaptureDraft> readDrafts(const StateFile& file) {
  std::vector<CaptureDraft> drafts;
  const Json content = file.read();
  if (!content.is_object() || !content.contains("begun")) return drafts;
  for (const Json& each : content["begun"]) {
    try {
      CaptureDraft draft = CaptureDraft::fromJson(each);
      draft.fresh = false;
      // Finished meanwhile, or taken away by hand: nothing is left to go on with.
      if (WorkFolder::summaryOf(draft.out)) drafts.push_back(std::move(draft));
    } catch (const Error&) {
      // of another version of the program: its work folder stays where it is
    }
  }
  return drafts;
}

// The file under a name that says how much of the capture it holds.
fs::path named(const fs::path& file, const CaptureDraft& draft) {
  const Json settings = openCapture(file)->info().settings;
  const auto count = [&](const char* key) { return std::to_string(settings.value(key, std::int64_t{0})); };
  fs::path name = file.parent_path() / (draft.out.stem().string() + " partial " + count("examples") + " of " +
                                        count("partial_of") + ".h5");
  fs::rename(file, name);
  return name;
}

}  // namespace

QString UnfinishedCapture::sentence() const {
  const QString name = nameOf(draft);
  if (runsElsewhere) return CaptureList::tr("%1 is being captured by another process.").arg(name);
  if (total <= 0) return CaptureList::tr("The capture %1 was interrupted before its first text.").arg(name);
  return CaptureList::tr("The capture %1 was interrupted after %2 of %3 texts, which are kept.")
      .arg(name, QString::fromStdString(withCommas(finished)), QString::fromStdString(withCommas(total)));
}

CaptureList::CaptureList(fs::path folder, QString program, Workers& workers, JobList& jobs, QObject* parent)
    : QObject(parent),
      m_folder(std::move(folder)),
      m_program(std::move(program)),
      m_workers(workers),
      m_jobs(jobs),
      m_file(m_folder / "captures.json", "plastiscope-captures", kVersion),
      m_begun(readDrafts(m_file)),
      m_discarding(workers, WorkLength::Quick) {}

CaptureList::~CaptureList() = default;

void CaptureList::start(const CaptureDraft& draft) {
  remember(draft);
  m_running.push_back(std::make_unique<Running>());
  Running* capture = m_running.back().get();
  capture->draft = draft;
  capture->process = std::make_unique<CaptureProcess>(
      m_program, captureArguments(draft), QString::fromStdString(draft.out.string()), nameOf(draft));
  const auto before = draft.fresh ? std::nullopt : WorkFolder::summaryOf(draft.out);
  JobTicket* ticket = capture->process->ticket();
  ticket->setViewable(before && before->finished > 0);
  connect(ticket, &JobTicket::viewRequested, this, [this, capture] { view(capture->draft); });
  connect(capture->process.get(), &CaptureProcess::textFinished, ticket, [ticket](int count) {
    if (count == 1) ticket->setViewable(true);
  });
  connect(capture->process.get(), &CaptureProcess::ended, this,
          [this, capture](const CaptureEnd& end) { finish(capture, end); });
  m_jobs.add(ticket);
  capture->process->start();
  Q_EMIT changed();
}

void CaptureList::finish(Running* capture, const CaptureEnd& end) {
  const CaptureDraft draft = capture->draft;
  // Not from inside a signal of the process.
  QMetaObject::invokeMethod(
      this,
      [this, capture, end, draft] {
        std::erase_if(m_running, [capture](const auto& each) { return each.get() == capture; });
        if (!WorkFolder::summaryOf(draft.out)) forget(draft);
        if (end.kind == CaptureEnd::Kind::Done) dropSnapshot(draft);
        Q_EMIT changed();
        Q_EMIT ended(end, draft);
      },
      Qt::QueuedConnection);
}

std::vector<UnfinishedCapture> CaptureList::unfinished() const {
  std::vector<UnfinishedCapture> all;
  for (const CaptureDraft& draft : m_begun) {
    const bool here =
        std::ranges::any_of(m_running, [&](const auto& running) { return running->draft.out == draft.out; });
    const auto work = here ? std::nullopt : WorkFolder::summaryOf(draft.out);
    if (work) all.push_back({draft, work->finished, work->total, work->busy});
  }
  return all;
}

void CaptureList::discard(const CaptureDraft& draft) {
  m_discarding.start(
      [out = draft.out](Progress&) {
        WorkFolder(out, Json::object(), true).remove();
        return true;
      },
      [this, draft](const Outcome<bool>& removed) {
        if (removed.ok()) {
          forget(draft);
          dropSnapshot(draft);
        }
        if (!removed.ok() && !removed.stopped()) Q_EMIT failed(removed.failure.sentence);
        Q_EMIT changed();
      });
}

void CaptureList::view(const CaptureDraft& draft) {
  setViewable(draft, false);  // one look at a time
  m_snapshots.push_back(std::make_unique<Snapshot>(m_workers));
  Snapshot* snapshot = m_snapshots.back().get();
  snapshot->draft = draft;
  const fs::path file = m_folder / kPartials / (draft.out.stem().string() + ".h5");
  const QString out = QString::fromStdString(file.string());
  snapshot->process = std::make_unique<CaptureProcess>(
      m_program, captureArguments(draft) + QStringList{QStringLiteral("--snapshot"), out}, out,
      tr("finished texts of %1").arg(nameOf(draft)));
  connect(snapshot->process.get(), &CaptureProcess::ended, this,
          [this, snapshot](const CaptureEnd& end) { collected(snapshot, end); });
  m_jobs.add(snapshot->process->ticket());
  snapshot->process->start();
}

void CaptureList::collected(Snapshot* snapshot, const CaptureEnd& end) {
  const CaptureDraft draft = snapshot->draft;
  if (end.kind != CaptureEnd::Kind::Done) {
    setViewable(draft, true);
    if (end.kind != CaptureEnd::Kind::Stopped) Q_EMIT failed(end.sentence);
    return removeLater(snapshot);
  }
  snapshot->relay.start([file = fs::path(snapshot->process->out().toStdString()),
                         draft](Progress&) { return named(file, draft); },
                        [this, snapshot, draft](const Outcome<fs::path>& file) {
                          setViewable(draft, true);
                          if (file.ok()) {
                            if (m_shown[draft.out] != *file.value) dropSnapshot(draft);
                            m_shown[draft.out] = *file.value;
                            Q_EMIT snapshotReady(*file.value);
                          } else if (!file.stopped()) {
                            Q_EMIT failed(file.failure.sentence);
                          }
                          removeLater(snapshot);
                        });
}

void CaptureList::dropSnapshot(const CaptureDraft& draft) {
  const auto shown = m_shown.extract(draft.out);
  if (shown.empty() || shown.mapped().empty()) return;
  fs::path file = shown.mapped();
  Q_EMIT snapshotGone(file);
  std::error_code ignored;  // what stays is only litter
  fs::remove(file, ignored);
  fs::remove(file.replace_extension(".analysis.h5"), ignored);
}

void CaptureList::removeLater(Snapshot* snapshot) {
  QMetaObject::invokeMethod(
      this,
      [this, snapshot] {
        std::erase_if(m_snapshots, [snapshot](const auto& each) { return each.get() == snapshot; });
      },
      Qt::QueuedConnection);
}

void CaptureList::setViewable(const CaptureDraft& draft, bool viewable) {
  for (const auto& running : m_running) {
    if (running->draft.out == draft.out) running->process->ticket()->setViewable(viewable);
  }
}

bool CaptureList::isSnapshot(const fs::path& file) const {
  return file.parent_path() == m_folder / kPartials;
}

void CaptureList::remember(const CaptureDraft& draft) {
  std::erase_if(m_begun, [&](const CaptureDraft& each) { return each.out == draft.out; });
  m_begun.push_back(draft);
  save();
}

void CaptureList::forget(const CaptureDraft& draft) {
  std::erase_if(m_begun, [&](const CaptureDraft& each) { return each.out == draft.out; });
  save();
}

void CaptureList::save() {
  try {
    Json begun = Json::array();
    for (const CaptureDraft& draft : m_begun) begun.push_back(draft.toJson());
    m_file.write({{"begun", begun}});
  } catch (const std::exception& error) {  // also of paths that are no UTF-8
    Q_EMIT failed(tr("The list of captures could not be saved. %1").arg(QString::fromUtf8(error.what())));
  }
}

}  // namespace plastiscope
