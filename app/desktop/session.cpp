#include "app/desktop/session.h"

#include <QDateTime>
#include <algorithm>

#include "core/base/files.h"
#include "core/base/json.h"
#include "core/jobs/analyze_job.h"
#include "core/jobs/capture_again.h"
#include "core/jobs/parallel.h"
#include "core/jobs/study_finder.h"
#include "core/jobs/study_job.h"
#include "core/jobs/study_page.h"
#include "core/store/output_place.h"
#include "core/store/stored_file.h"
#include "core/store/table_folder.h"
#include "widgets/jobs/capture_process.h"
#include "widgets/state/file_text.h"
#include "widgets/state/icons.h"

namespace fs = std::filesystem;

namespace plastiscope {
namespace {

constexpr int kSettingsVersion = 1;

// The analysis that is saved beside a capture when it is opened.
std::optional<LibraryEntry> analysisBeside(const fs::path& capture, const Study& study) {
  const fs::path file = fs::path(capture).replace_extension(".analysis.h5");
  if (study.analysisFile == file) {
    LibraryEntry entry = analysisEntry(file, *study.analysis);
    entry.digest = QString::fromStdString(studyIdOf(study).captureDigest());
    return entry;
  }
  std::error_code ignored;
  if (!fs::is_regular_file(file, ignored)) return {};
  try {
    return readEntry(file);
  } catch (const Error&) {  // from another program, or damaged
    return {};
  }
}

// Place of a study's notes; adds the study to the index.
NotesOrigin noted(const Study& study, const fs::path& file, StudyIndex& index) {
  const StudyId id = studyIdOf(study);
  NotesOrigin notes = index.notesOf(id, file);
  if (study.capture) index.remember(id.ofCapture(), normalPlace(study.capture->path()));
  index.remember(id, file);
  return notes;
}

}  // namespace

Session::Session(fs::path folder, QObject* parent)
    : QObject(parent),
      m_folder(std::move(folder)),
      m_settingsFile(m_folder / "settings.json", "plastiscope-settings", kSettingsVersion),
      m_store(m_folder),
      m_index(std::make_shared<StudyIndex>(m_folder)),
      m_settings(AppSettings::fromJson(m_settingsFile.read())),
      m_modelSearch(m_workers, WorkLength::Long),
      m_studySearch(m_workers, WorkLength::Long),
      m_captures(m_folder, commandLineProgram(), m_workers, m_jobs) {
  m_writing.setMaxThreadCount(1);
  m_settings.captureFolder = captureFolder();  // kept even if the default changes
  setKnownLooks(m_settings.looks);
  connect(&m_captures, &CaptureList::failed, this, &Session::failed);
  connect(&m_captures, &CaptureList::ended, this, [this](const CaptureEnd& end, const CaptureRequest& draft) {
    if (end.kind != CaptureEnd::Kind::Done) return;
    keepFolder(draft.out.parent_path());
    listModel(draft.model);
    const auto measurement = m_measurements.extract(draft.out);
    if (!measurement.empty() && measurement.mapped().change.kind != Intervention::OnlyLoss) {
      tellMeasured(measurement.mapped());
    } else {
      ViewSelection start;
      if (!measurement.empty()) start.head = measurement.mapped().change.head;  // as in the original tab
      Q_EMIT jobFinished(draft.out);
      open({draft.out}, start);
    }
    refreshLibrary();
  });
  connect(&m_captures, &CaptureList::over, this, &Session::forgetMeasurement);
}

Session::~Session() = default;

template <typename Work, typename Deliver>
JobHandle& Session::run(const QString& title, Work work, Deliver deliver) {
  using Value = std::invoke_result_t<Work, Progress&>;
  m_openings.push_back(std::make_unique<Opening>(title, m_workers));
  Opening* opening = m_openings.back().get();
  if (!title.isEmpty()) m_jobs.add(&opening->handle);
  opening->runner.start(
      std::move(work),
      [this, opening, deliver = std::move(deliver)](JobResult<Value> result) mutable {
        deliver(std::move(result));
        finish(opening);
      },
      &opening->handle);
  return opening->handle;
}

void Session::saveSettings() {
  m_settings.looks = knownLooks();
  writeLater([file = m_settingsFile, content = m_settings.toJson()]() mutable { file.write(content); },
             tr("Settings could not be saved. %1"));
}

void Session::saveState(const SessionState& state) {
  if (m_settings.looks != knownLooks()) saveSettings();
  writeLater([this, state] { m_store.write(state); }, tr("The session could not be saved. %1"));
}

void Session::writeLater(std::function<void()> file, const QString& problem) {
  m_writing.start([this, file = std::move(file), problem] {
    const auto written = resultOf<bool>([&] {
      file();
      return true;
    });
    if (written.ok()) return;
    QMetaObject::invokeMethod(
        this, [this, sentence = problem.arg(written.failure.sentence)] { Q_EMIT failed(sentence); },
        Qt::QueuedConnection);
  });
}

NotesOrigin Session::notesOf(const fs::path& study) const {
  const auto notes = m_notes.find(study);
  return notes == m_notes.end() ? NotesOrigin() : notes->second;
}

SearchPlaces Session::searchPlaces(const fs::path& beside) const {
  SearchPlaces places{{}, m_index};
  if (!beside.empty()) places.folders.push_back(beside);
  for (const fs::path& folder : captureFolders()) places.folders.push_back(folder);
  for (const RecentFile& recent : m_settings.recentFiles) places.folders.push_back(recent.path.parent_path());
  return places;
}

fs::path Session::captureFolder() const {
  return m_settings.captureFolder.empty() ? defaultCaptureFolder() : m_settings.captureFolder;
}

std::vector<fs::path> Session::captureFolders() const {
  std::vector<fs::path> folders = {captureFolder()};
  std::ranges::copy(m_settings.usedFolders, std::back_inserter(folders));
  std::ranges::copy(defaultCaptureFolders(), std::back_inserter(folders));
  return folders;
}

void Session::keepFolder(const fs::path& folder) {
  if (std::ranges::count(m_settings.usedFolders, folder) > 0) return;
  m_settings.usedFolders.push_back(folder);
  saveSettings();
}

void Session::refreshLibrary() {
  std::vector<fs::path> files;
  for (const RecentFile& recent : m_settings.recentFiles) files.push_back(recent.path);
  m_modelSearch.start([folders = m_settings.modelFolders,
                       files](Progress& progress) { return findModelEntries(folders, files, progress); },
                      [this](JobResult<std::vector<LibraryEntry>> found) {
                        if (found.ok()) m_library.setModels(withOpened(std::move(*found.value), true));
                        if (!found.ok() && !found.stopped()) Q_EMIT failed(found.failure.sentence);
                        Q_EMIT modelsChanged();
                      });
  m_captures.search(captureFolder());
  if (const fs::path example = exampleCapture(); !example.empty()) files.push_back(example);
  m_studySearch.start([folders = captureFolders(),
                       files](Progress& progress) { return findStudyEntries(folders, files, progress); },
                      [this](JobResult<std::vector<LibraryEntry>> found) {
                        if (found.ok()) m_library.setStudies(withOpened(std::move(*found.value), false));
                        if (!found.ok() && !found.stopped()) Q_EMIT failed(found.failure.sentence);
                        Q_EMIT recentChanged();
                      });
}

std::vector<LibraryEntry> Session::withOpened(std::vector<LibraryEntry> found, bool models) const {
  for (const LibraryEntry& opened : m_opened) {
    const bool there =
        std::any_of(found.begin(), found.end(), [&](const auto& each) { return each.path == opened.path; });
    if (!there && (opened.kind == EntryKind::Model) == models) found.push_back(opened);
  }
  return found;
}

const LibraryEntry* Session::entryOf(const fs::path& file) const {
  const auto partial = std::ranges::find(m_partial, file, &LibraryEntry::path);
  return partial != m_partial.end() ? &*partial : m_library.entryOf(file);
}

void Session::listEntry(const LibraryEntry& entry) {
  std::erase_if(m_opened, [&](const auto& each) { return each.path == entry.path; });
  m_opened.push_back(entry);
  m_library.add(entry);
}

void Session::addEntry(const LibraryEntry& entry) {
  if (m_captures.isSnapshot(entry.path)) {  // deleted when the capture is finished
    std::erase_if(m_partial, [&](const auto& each) { return each.path == entry.path; });
    return m_partial.push_back(entry);
  }
  listEntry(entry);
  addRecent(entry.path, entry.summary.toStdString(), entry.architecture.toStdString());
}

void Session::open(const std::vector<fs::path>& given, const ViewSelection& selection) {
  std::vector<fs::path> paths;
  OpenStudies open;
  for (const fs::path& path : given) {
    const auto [place, isNew] = m_looking.insert(normalPlace(path));
    if (!isNew) continue;  // requested twice
    paths.push_back(*place);
    if (auto expected = m_expected.extract(paths.back()); !expected.empty()) open.insert(std::move(expected));
  }
  if (paths.empty()) return;
  run(
      {},
      [paths, open = std::move(open)](Progress&) {
        std::vector<Checked> checked;
        for (const fs::path& path : paths) {
          const auto known = open.find(path);
          checked.push_back({path, resultOf<OpenedPath>([&] {
                               return known == open.end() ? openPath(path)
                                                          : OpenedPath{PathKind::Study, known->second};
                             })});
        }
        return checked;
      },
      [this, paths, selection](JobResult<std::vector<Checked>> checked) {
        for (const fs::path& path : paths) m_looking.erase(path);
        if (checked.ok())
          openChecked(*checked.value, selection);
        else if (!checked.stopped())
          Q_EMIT failed(checked.failure.sentence);
      });
}

void Session::openChecked(const std::vector<Checked>& paths, const ViewSelection& selection) {
  std::vector<fs::path> texts;
  ViewSelection start = selection;
  for (const Checked& each : paths) {
    if (!each.content.ok()) {
      Q_EMIT openingFailed(each.path, each.content.failure.sentence);
      continue;
    }
    const auto& [kind, study] = *each.content.value;
    if (kind == PathKind::Study) {
      openStudyFile(each.path, study, std::exchange(start, {}));
      start.head = selection.head;  // all show the same head
    } else if (kind == PathKind::Model) {
      openModelFile(each.path);
    } else if (kind == PathKind::Session) {
      Q_EMIT sessionFound(each.path, start);
    } else {
      texts.push_back(each.path);
    }
  }
  if (!texts.empty()) Q_EMIT textsOffered(texts);
}

void Session::openStudyFile(const fs::path& path, std::shared_ptr<const StoredFile> file,
                            const ViewSelection& selection) {
  struct Opened {
    std::shared_ptr<const Study> study;
    LibraryEntry entry;
    std::optional<LibraryEntry> kept;  // analysis beside a capture
    NotesOrigin notes;
  };
  // Unfinished captures have no permanent id.
  const auto index = m_captures.isSnapshot(path) ? nullptr : m_index;
  JobHandle& job = run(
      fileText(path.filename()),
      [path, given = std::move(file), index, threads = m_settings.threads,
       intervals = m_settings.intervals](Progress& progress) mutable {
        const auto stored = given ? std::move(given) : std::make_shared<const StoredFile>(path);
        std::vector<fs::path> elsewhere;
        const auto id = resultOf<StudyId>([&] { return stored->id(); });  // opening reports errors
        if (index && id.ok()) elsewhere = index->filesOf(id.value->ofCapture());
        auto study =
            openStudy(*stored, AnalysisSettings(), threads, progress, {DamagedHeads::LeaveOut, elsewhere});
        const auto beside = analysisBeside(path, *study);
        if (intervals) study = withKeptIntervals(std::move(study));
        Opened opened{std::move(study), studyEntry(*stored), beside, {}};
        if (index) opened.notes = noted(*opened.study, path, *index);
        return opened;
      },
      [this, path, selection](JobResult<Opened> opened) {
        if (opened.ok()) {
          m_notes[path] = opened.value->notes;
          addEntry(opened.value->entry);
          if (opened.value->kept && !m_captures.isSnapshot(path)) listEntry(*opened.value->kept);
          Q_EMIT studyOpened(path, opened.value->study, selection);
        } else {
          Q_EMIT openingFailed(path, opened.stopped() ? QString() : opened.failure.sentence);
        }
      });
  Q_EMIT openingStarted(path, &job);
}

void Session::analyze(NewAnalysis wanted, const ViewSelection& selection) {
  const fs::path out = wanted.out;
  run(
      fileText(out.filename()),
      [wanted = std::move(wanted), threads = m_settings.threads](Progress& progress) {
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
          openStudyFile(out, nullptr, selection);
        } else if (!written.stopped()) {
          Q_EMIT failed(written.failure.sentence);
        }
      });
}

void Session::measure(const Measurement& wanted) {
  const fs::path tokens = measurementInputs() / (wanted.out.stem().string() + ".jsonl");
  run(
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
          m_captures.start(*request.value);
        } else if (!request.stopped()) {
          Q_EMIT failed(request.failure.sentence);
        }
      });
}

// Removes the inputs kept for a measurement. Other captures have none here and read the user's own files.
void Session::forgetMeasurement(const CaptureRequest& over) {
  m_measurements.erase(over.out);
  std::error_code ignored;  // leftover files are harmless
  for (const fs::path& file : {over.tokens, over.clampFrom}) {
    if (file.parent_path() == measurementInputs()) fs::remove(file, ignored);
  }
  fs::remove(measurementInputs(), ignored);  // only if empty
}

void Session::tellMeasured(const Measurement& done) {
  run(
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

void Session::addIntervals(const fs::path& path, std::shared_ptr<const Study> study) {
  const bool known = m_noIntervals.contains(path) || m_captures.isSnapshot(path) ||
                     std::ranges::find(m_waiting, path, &Waiting::path) != m_waiting.end();
  if (!m_settings.intervals || known || !lacksIntervals(*study)) return;
  m_waiting.push_back({path, std::move(study)});
  if (!m_intervals) computeIntervals();
}

void Session::computeIntervals() {
  m_intervals.reset();
  if (m_waiting.empty()) return;
  const auto& [path, study] = m_waiting.front();
  m_intervals = std::make_unique<Opening>(tr("intervals of %1").arg(fileText(path.filename())), m_workers);
  m_jobs.add(&m_intervals->handle);
  m_intervals->runner.start(
      [study, threads = m_settings.threads](Progress& progress) {
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
        QMetaObject::invokeMethod(this, &Session::computeIntervals, Qt::QueuedConnection);
      },
      &m_intervals->handle);
}

// Adds a model from any path, as the capture dialog accepts it.
void Session::listModel(const fs::path& path) {
  const fs::path model = normalPlace(path);
  if (m_library.entryOf(model) != nullptr) return;
  run(
      {}, [model](Progress&) { return readEntry(model); },
      [this](JobResult<LibraryEntry> entry) {
        if (entry.ok()) addEntry(*entry.value);
        Q_EMIT modelsChanged();
      });
}

void Session::openModelFile(const fs::path& path) {
  run(
      {}, [path](Progress&) { return readEntry(path); },
      [this, path](JobResult<LibraryEntry> entry) {
        if (entry.ok()) {
          addEntry(*entry.value);
          Q_EMIT modelFound(*entry.value);
        } else if (!entry.stopped()) {
          Q_EMIT openingFailed(path, entry.failure.sentence);
        }
      });
}

void Session::finish(Opening* opening) {
  // Deferred: must not run inside its own delivery.
  QMetaObject::invokeMethod(
      this,
      [this, opening] {
        std::erase_if(m_openings, [opening](const auto& each) { return each.get() == opening; });
      },
      Qt::QueuedConnection);
}

void Session::addRecent(const fs::path& path, const std::string& note, const std::string& architecture) {
  remember(m_settings.recentFiles, {path, QDateTime::currentSecsSinceEpoch(), note, architecture});
  saveSettings();
  Q_EMIT recentChanged();
}

void Session::exportTables(std::shared_ptr<const AnalysisFile> analysis, const fs::path& folder) {
  write(tr("Tables as CSV"), tr("The tables were written to %1.").arg(fileText(folder)),
        [analysis, folder](Progress&) { exportCsv(*analysis, folder); });
}

void Session::exportPage(std::shared_ptr<const Study> study, const fs::path& file, ApKind plasticity) {
  StudyPageOptions options;
  options.plasticity = plasticity;
  write(tr("Page of a study"), tr("The page was written to %1.").arg(fileText(file)),
        [study, file, options](Progress& progress) {
          writeFileAtomically(file, studyPage(*study, options, 0, progress));
        });
}

void Session::write(const QString& title, const QString& done, std::function<void(Progress&)> work) {
  run(
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

#include "moc_session.cpp"
