#include "app/desktop/study_jobs.h"

#include <algorithm>

#include "app/desktop/sweep_dialog.h"
#include "core/base/error.h"
#include "core/base/files.h"
#include "core/jobs/analyze_job.h"
#include "core/jobs/head_metrics.h"
#include "core/jobs/parallel.h"
#include "core/jobs/study_job.h"
#include "core/jobs/study_page.h"
#include "core/store/output_place.h"
#include "core/store/table_folder.h"
#include "widgets/state/file_text.h"

namespace fs = std::filesystem;

namespace plastiscope {

StudyJobs::StudyJobs(const Parts& parts)
    : m_parts(parts), m_runs(parts.workers, parts.jobs), m_intervals(parts.workers, parts.jobs) {
  connect(&parts.captures, &CaptureList::ended, this, &StudyJobs::captureEnded);
  connect(&parts.captures, &CaptureList::over, this, &StudyJobs::forgetMeasurement);
}

void StudyJobs::captureEnded(const CaptureEnd& end, const CaptureRequest& draft) {
  if (end.kind != CaptureEnd::Kind::Done) return;
  m_parts.state.keepFolder(draft.out.parent_path());
  m_parts.library.addModel(draft.model);
  const auto measurement = m_measurements.extract(draft.out);
  if (!measurement.empty() && measurement.mapped().change.kind != Intervention::OnlyLoss) {
    reportEffect(measurement.mapped());
  } else {
    ViewSelection start;
    if (!measurement.empty() && !measurement.mapped().change.heads.empty())
      start.head = measurement.mapped().change.heads.front();  // as in the original tab
    Q_EMIT jobFinished(draft.out);
    m_parts.opener.open({draft.out}, start);
  }
  m_parts.library.refresh();
}

void StudyJobs::analyze(NewAnalysis wanted, const ViewSelection& selection) {
  const fs::path out = wanted.out;
  m_runs.run(
      fileText(out.filename()),
      [wanted = std::move(wanted), threads = m_parts.state.settings().threads](Progress& progress) {
        requireOutputPlace(wanted.out, analysisOutput(),
                           {{wanted.capture->path()}, false, "choose another name"});
        requireWritableFolderOf(wanted.out);
        writeAnalysis(
            analyzeCapture(*wanted.capture, wanted.settings, threads, progress, {wanted.earlier.get()}),
            wanted.out);
        return true;
      },
      [this, out, selection](JobResult<bool> written) {
        if (written.ok()) {
          Q_EMIT jobFinished(out);
          m_parts.opener.openStudyFile(out, nullptr, selection);
        } else if (!written.stopped()) {
          Q_EMIT failed(written.failure.sentence);
        }
      });
}

void StudyJobs::measure(const Measurement& wanted) {
  const fs::path tokens = measurementInputs() / (wanted.out.stem().string() + ".jsonl");
  m_runs.run(
      tr("Texts of %1").arg(fileText(wanted.origin->capture->path().filename())),
      [wanted, tokens](Progress&) {
        CaptureChange change = wanted.change;
        const bool clamps = change.kind == Intervention::ClampBias;
        if (clamps) change.clampFrom = fs::path(tokens).replace_extension(".analysis.h5");
        CaptureRequest request = changedCapture(*wanted.origin->capture, change, tokens, wanted.out);
        request.model = wanted.model;
        requireWritableFolderOf(tokens);
        // Clamps by this analysis, even if its file changes.
        if (clamps) writeAnalysis(*wanted.origin->analysis, change.clampFrom);
        writeTokensOf(*wanted.origin->capture, tokens);
        return request;
      },
      [this, wanted](JobResult<CaptureRequest> request) {
        if (request.ok()) {
          m_measurements[request.value->out] = wanted;
          m_parts.captures.start(*request.value);
        } else if (!request.stopped()) {
          Q_EMIT failed(request.failure.sentence);
        }
      });
}

// Removes the inputs kept for a measurement. Other captures have none here and read the user's own files.
void StudyJobs::forgetMeasurement(const CaptureRequest& over) {
  m_measurements.erase(over.out);
  std::error_code ignored;  // leftover files are harmless
  for (const fs::path& file : {over.tokens, over.clampFrom}) {
    if (file.parent_path() == measurementInputs()) fs::remove(file, ignored);
  }
  fs::remove(measurementInputs(), ignored);  // only if empty
}

void StudyJobs::reportEffect(const Measurement& done) {
  m_runs.run(
      {},
      [done](Progress& progress) {
        std::string effect = lossEffect(*done.origin->capture, *openCapture(done.out));
        const std::string predicted = predictedEffect(*done.origin, done.change, progress);
        return effect + (effect.empty() ? "" : " ") + predicted;
      },
      [this, done](JobResult<std::string> effect) {
        Q_EMIT measured(done, effect.ok() ? QString::fromStdString(*effect.value) : QString());
      });
}

void StudyJobs::findCauses(const CausesRun& wanted) {
  m_runs.run(
      {},
      [wanted](Progress&) {
        requireWritableFolderOf(wanted.out);
        if (wanted.plan.empty()) return true;
        // Ranks by this analysis, even if its file changes.
        writeAnalysis(*wanted.study->analysis, wanted.beside(kRankingFile));
        if (wanted.ownTexts) writeTokensOf(*wanted.study->capture, wanted.beside(kTokensFile));
        writeFileAtomically(wanted.beside(kPlanFile), wanted.plan);
        return true;
      },
      [this, wanted](JobResult<bool> ready) {
        if (ready.ok())
          startCommand(wanted.arguments, wanted.out, [this, wanted] { takeCauses(wanted); });
        else if (!ready.stopped())
          Q_EMIT failed(ready.failure.sentence);
      });
}

void StudyJobs::startCommand(const QStringList& arguments, const fs::path& out, std::function<void()> done) {
  auto* process =
      new CaptureProcess(commandLineProgram(), arguments, fileText(out), fileText(out.filename()), this);
  connect(process, &CaptureProcess::ended, this, [this, out, done, process](const CaptureEnd& end) {
    process->deleteLater();
    if (end.kind == CaptureEnd::Kind::Done)
      done();
    else if (end.kind == CaptureEnd::Kind::Stopped)
      Q_EMIT written(tr("%1 was stopped; the same start continues it.").arg(fileText(out.filename())));
    else
      Q_EMIT failed(end.sentence);
  });
  m_parts.jobs.add(process->handle());
  process->start(-1);
}

void StudyJobs::runSweep(const SweepStart& wanted) {
  m_parts.state.keepFolder(wanted.out);
  m_runs.run(
      {},
      [wanted](Progress&) {
        requireWritableFolderOf(wanted.file());
        if (wanted.content.empty()) return true;
        if (fs::exists(wanted.file()) && readFile(wanted.file()) != wanted.content)
          throw InputError({wanted.file(), "", "", "there is already another sweep; choose another folder"});
        writeFileAtomically(wanted.file(), wanted.content);
        return true;
      },
      [this, wanted](JobResult<bool> ready) {
        if (!ready.ok()) return ready.stopped() ? void() : failed(ready.failure.sentence);
        startCommand(
            {QStringLiteral("batch"), fileText(wanted.file()), QStringLiteral("--part"),
             QStringLiteral("0/1"), QStringLiteral("--out"), fileText(wanted.out)},
            wanted.out, [this, wanted] {
              m_parts.library.refresh();
              Q_EMIT written(tr("The sweep %1 is finished; Runs lists it.").arg(fileText(wanted.out)));
            });
      });
}

void StudyJobs::takeCauses(const CausesRun& done) {
  const fs::path out = done.beside(kResultFile);
  m_runs.run(
      {},
      [done, out](Progress&) {
        writeAnalysis(importCauses(*done.study->analysis, done.out).analysis, out);
        return true;
      },
      [this, out, view = done.view](JobResult<bool> taken) {
        if (!taken.ok()) return taken.stopped() ? void() : failed(taken.failure.sentence);
        Q_EMIT jobFinished(out);
        m_parts.opener.openStudyFile(out, nullptr, view);
      });
}

void StudyJobs::addIntervals(const fs::path& path, std::shared_ptr<const Study> study) {
  const bool known = m_noIntervals.contains(path) || m_parts.captures.isSnapshot(path) ||
                     std::ranges::find(m_waiting, path, &Waiting::path) != m_waiting.end();
  if (!m_parts.state.settings().intervals || known || !lacksIntervals(*study)) return;
  m_waiting.push_back({path, std::move(study)});
  if (!m_intervals.running()) computeIntervals();
}

void StudyJobs::computeIntervals() {
  if (m_waiting.empty()) return;
  const auto& [path, study] = m_waiting.front();
  m_intervals.run(
      tr("intervals of %1").arg(fileText(path.filename())),
      [study, threads = m_parts.state.settings().threads](Progress& progress) {
        std::shared_ptr<const Study> complete;
        atLowPriority([&] { complete = withIntervals(*study, threads, progress); });
        return complete;
      },
      [this](JobResult<std::shared_ptr<const Study>> complete) {
        const fs::path file = m_waiting.front().path;
        m_waiting.pop_front();
        if (complete.ok())
          Q_EMIT intervalsAdded(file, *complete.value);
        else
          m_noIntervals.insert(file);
        if (!complete.ok() && !complete.stopped()) Q_EMIT failed(complete.failure.sentence);
        // Deferred: must not run inside its own delivery.
        QMetaObject::invokeMethod(this, &StudyJobs::computeIntervals, Qt::QueuedConnection);
      });
}

void StudyJobs::exportTables(std::shared_ptr<const AnalysisFile> analysis, const fs::path& folder) {
  write(tr("Tables as CSV"), tr("The tables were written to %1.").arg(fileText(folder)),
        [analysis, folder](Progress&) { exportCsv(*analysis, folder); });
}

void StudyJobs::exportPage(std::shared_ptr<const Study> study, const fs::path& file, ApKind plasticity) {
  StudyPageOptions options;
  options.plasticity = plasticity;
  write(tr("Page of a study"), tr("The page was written to %1.").arg(fileText(file)),
        [study, file, options](Progress& progress) {
          writeFileAtomically(file, studyPage(study, options, 0, progress));
        });
}

void StudyJobs::write(const QString& title, const QString& done, std::function<void(Progress&)> work) {
  m_runs.run(
      title,
      [work = std::move(work)](Progress& progress) {
        work(progress);
        return true;
      },
      [this, done](JobResult<bool> result) {
        if (result.ok())
          Q_EMIT written(done);
        else if (!result.stopped())
          Q_EMIT failed(result.failure.sentence);
      });
}

}  // namespace plastiscope

#include "moc_study_jobs.cpp"
