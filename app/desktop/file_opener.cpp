#include "app/desktop/file_opener.h"

#include <algorithm>

#include "core/jobs/study_finder.h"
#include "core/jobs/study_job.h"
#include "core/store/stored_file.h"
#include "widgets/state/file_text.h"

namespace fs = std::filesystem;

namespace plastiscope {
namespace {

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

FileOpener::FileOpener(UserState& state, Library& library, CaptureList& captures, Workers& workers,
                       JobList& jobs)
    : m_state(state), m_library(library), m_captures(captures), m_opening(workers, jobs) {}

NotesOrigin FileOpener::notesOf(const fs::path& study) const {
  const auto notes = m_notes.find(study);
  return notes == m_notes.end() ? NotesOrigin() : notes->second;
}

void FileOpener::open(const std::vector<fs::path>& given, const ViewSelection& selection) {
  std::vector<fs::path> paths;
  OpenStudies open;
  for (const fs::path& path : given) {
    const auto [place, isNew] = m_looking.insert(normalPlace(path));
    if (!isNew) continue;  // requested twice
    paths.push_back(*place);
    if (auto expected = m_expected.extract(paths.back()); !expected.empty()) open.insert(std::move(expected));
  }
  if (paths.empty()) return;
  m_opening.run(
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

void FileOpener::openChecked(const std::vector<Checked>& paths, const ViewSelection& selection) {
  std::vector<fs::path> texts;
  ViewSelection start = selection;
  for (const Checked& each : paths) {
    if (!each.content.ok()) {
      Q_EMIT openingFailed(each.path, each.content.failure.sentence);
      continue;
    }
    const auto& [kind, study, studies] = *each.content.value;
    if (kind == PathKind::Study) {
      openStudyFile(each.path, study, std::exchange(start, {}));
      start.head = selection.head;  // all show the same head
    } else if (kind == PathKind::Model) {
      openModelFile(each.path);
    } else if (kind == PathKind::Session) {
      Q_EMIT sessionFound(each.path, start);
    } else if (kind == PathKind::Studies) {
      if (studies.size() == 1)
        open(studies, start);
      else
        Q_EMIT studiesFound(studies, start);
    } else {
      texts.push_back(each.path);
    }
  }
  if (!texts.empty()) Q_EMIT textsOffered(texts);
}

void FileOpener::openStudyFile(const fs::path& path, std::shared_ptr<const StoredFile> file,
                               const ViewSelection& selection) {
  struct Opened {
    std::shared_ptr<const Study> study;
    LibraryEntry entry;
    std::optional<LibraryEntry> kept;  // analysis beside a capture
    NotesOrigin notes;
  };
  // Unfinished captures have no permanent id.
  const auto index = m_captures.isSnapshot(path) ? nullptr : m_state.index();
  JobHandle& job = m_opening.run(
      fileText(path.filename()),
      [path, given = std::move(file), index, threads = m_state.settings().threads,
       intervals = m_state.settings().intervals](Progress& progress) mutable {
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
          m_library.add(opened.value->entry);
          if (opened.value->kept && !m_captures.isSnapshot(path)) m_library.list(*opened.value->kept);
          Q_EMIT studyOpened(path, opened.value->study, selection);
        } else {
          Q_EMIT openingFailed(path, opened.stopped() ? QString() : opened.failure.sentence);
        }
      });
  Q_EMIT openingStarted(path, &job);
}

void FileOpener::openModelFile(const fs::path& path) {
  m_opening.run(
      {},
      [path, python = m_state.settings().python](Progress& progress) {
        return readEntry(path, python, progress);
      },
      [this, path](JobResult<LibraryEntry> entry) {
        if (entry.ok()) {
          m_library.add(*entry.value);
          Q_EMIT modelFound(*entry.value);
        } else if (!entry.stopped()) {
          Q_EMIT openingFailed(path, entry.failure.sentence);
        }
      });
}

}  // namespace plastiscope

#include "moc_file_opener.cpp"
