#include "app/desktop/library.h"

#include <algorithm>

#include "widgets/state/file_text.h"

namespace fs = std::filesystem;

namespace plastiscope {

Library::Library(UserState& state, CaptureList& captures, Workers& workers, JobList& jobs)
    : m_state(state),
      m_captures(captures),
      m_modelSearch(workers, WorkLength::Long),
      m_studySearch(workers, WorkLength::Long),
      m_reading(workers, jobs) {}

void Library::refresh() {
  std::vector<fs::path> files;
  for (const RecentFile& recent : m_state.settings().recentFiles) files.push_back(recent.path);
  m_modelSearch.start([folders = m_state.settings().modelFolders,
                       files](Progress& progress) { return findModelEntries(folders, files, progress); },
                      [this](JobResult<std::vector<LibraryEntry>> found) {
                        if (found.ok()) m_model.setModels(withOpened(std::move(*found.value), true));
                        if (!found.ok() && !found.stopped()) Q_EMIT failed(found.failure.sentence);
                        Q_EMIT modelsChanged();
                      });
  m_captures.search(m_state.captureFolder());
  if (const fs::path example = exampleCapture(); !example.empty()) files.push_back(example);
  m_studySearch.start([folders = m_state.captureFolders(),
                       files](Progress& progress) { return findStudyEntries(folders, files, progress); },
                      [this](JobResult<std::vector<LibraryEntry>> found) {
                        if (found.ok()) m_model.setStudies(withOpened(std::move(*found.value), false));
                        if (!found.ok() && !found.stopped()) Q_EMIT failed(found.failure.sentence);
                        Q_EMIT studiesChanged();
                      });
}

std::vector<LibraryEntry> Library::withOpened(std::vector<LibraryEntry> found, bool models) const {
  for (const LibraryEntry& opened : m_opened) {
    const bool there =
        std::any_of(found.begin(), found.end(), [&](const auto& each) { return each.path == opened.path; });
    if (!there && (opened.kind == EntryKind::Model) == models) found.push_back(opened);
  }
  return found;
}

const LibraryEntry* Library::entryOf(const fs::path& file) const {
  const auto partial = std::ranges::find(m_partial, file, &LibraryEntry::path);
  return partial != m_partial.end() ? &*partial : m_model.entryOf(file);
}

void Library::list(const LibraryEntry& entry) {
  std::erase_if(m_opened, [&](const auto& each) { return each.path == entry.path; });
  m_opened.push_back(entry);
  m_model.add(entry);
}

void Library::add(const LibraryEntry& entry) {
  if (m_captures.isSnapshot(entry.path)) {  // deleted when the capture is finished
    std::erase_if(m_partial, [&](const auto& each) { return each.path == entry.path; });
    return m_partial.push_back(entry);
  }
  list(entry);
  m_state.addRecent(entry.path, entry.summary.toStdString(), entry.architecture.toStdString());
}

// Adds a model from any path, as the capture dialog accepts it.
void Library::addModel(const fs::path& path) {
  const fs::path model = normalPlace(path);
  if (m_model.entryOf(model) != nullptr) return;
  m_reading.run(
      {}, [model](Progress&) { return readEntry(model); },
      [this](JobResult<LibraryEntry> entry) {
        if (entry.ok()) add(*entry.value);
        Q_EMIT modelsChanged();
      });
}

}  // namespace plastiscope

#include "moc_library.cpp"
