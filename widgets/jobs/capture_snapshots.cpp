#include "widgets/jobs/capture_snapshots.h"

#include "core/base/json.h"
#include "core/store/capture_file.h"
#include "widgets/state/file_text.h"

namespace fs = std::filesystem;

namespace plastiscope {
namespace {

// The file under a name that says how much of the capture it holds.
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
  explicit Look(Workers& workers) : relay(workers, WorkLength::Quick) {}
  CaptureRequest draft;
  std::unique_ptr<CaptureProcess> process;
  JobRelay relay;
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
  m_jobs.add(look->process->ticket());
  look->process->start(-1);
}

void CaptureSnapshots::collected(Look* look, const CaptureEnd& end) {
  const CaptureRequest draft = look->draft;
  if (end.kind != CaptureEnd::Kind::Done) {
    Q_EMIT busy(draft, false);
    if (end.kind != CaptureEnd::Kind::Stopped) Q_EMIT failed(end.sentence);
    return removeLater(look);
  }
  look->relay.start(
      [file = fileOfText(look->process->out()), draft](Progress&) { return named(file, draft); },
      [this, look, draft](const Outcome<fs::path>& file) {
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
  std::error_code ignored;  // what stays is only litter
  fs::remove(file, ignored);
  fs::remove(file.replace_extension(".analysis.h5"), ignored);
}

// Not from inside a signal of the process.
void CaptureSnapshots::removeLater(Look* look) {
  QMetaObject::invokeMethod(
      this, [this, look] { std::erase_if(m_looks, [look](const auto& each) { return each.get() == look; }); },
      Qt::QueuedConnection);
}

}  // namespace plastiscope
