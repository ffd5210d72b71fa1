#include "core/jobs/study_finder.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/base/path_text.h"

namespace plastiscope {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMaxNames = 10000;  // per folder
constexpr int kMaxParents = 4;            // parent folders of the last place that are tried in each folder

// "c.h5", "b/c.h5", "a/b/c.h5" for /x/a/b/c.h5: relative paths that may also exist in another folder.
std::vector<fs::path> tailsOf(const fs::path& place) {
  std::vector<fs::path> tails;
  fs::path tail = place.filename(), folder = place.parent_path();
  for (int i = 0; i <= kMaxParents && !tail.empty(); ++i) {
    tails.push_back(tail);
    if (folder.filename().empty()) break;
    tail = folder.filename() / tail;
    folder = folder.parent_path();
  }
  return tails;
}

}  // namespace

StudyId studyIdOf(const Study& study) {
  const AnalysisProvenance& of = study.analysis->provenance;
  const StudyId id = StudyId{of.captureFingerprint, of.captureSettingsHash, of.settingsHash}.knownOrEmpty();
  const bool asCapture = study.capture != nullptr && pathText(study.capture->path()) == study.file;
  return asCapture ? id.ofCapture() : id;
}

// Uses the form of the path that a search in its folder gives.
void StudyFinder::remember(const fs::path& file, const StudyId& id) {
  m_ids[file.has_parent_path() ? file : "." / file] = id;
}

bool StudyFinder::is(const StudyId& id, const fs::path& file) {
  m_progress.throwIfStopped();
  auto known = m_ids.find(file);
  std::error_code ignored;
  if (known == m_ids.end()) {
    if (!fs::is_regular_file(file, ignored) || m_read >= kMaxFiles) return false;
    ++m_read;
    StudyId read;
    try {
      auto stored = std::make_shared<const StoredFile>(file);
      read = stored->id();
      if (read == id) m_found[file] = std::move(stored);
    } catch (const InputError&) {  // damaged, or written by another program
    }
    known = m_ids.emplace(file, read).first;
  }
  return known->second == id;
}

std::shared_ptr<const StoredFile> StudyFinder::take(const fs::path& file) {
  auto found = m_found.extract(file);
  return found.empty() ? nullptr : std::move(found.mapped());
}

const std::vector<fs::path>& StudyFinder::studiesIn(const fs::path& folder) {
  if (const auto listed = m_listed.find(folder); listed != m_listed.end()) return listed->second;
  std::vector<fs::path>& files = m_listed[folder];
  std::error_code failed;
  fs::directory_iterator each(folder, fs::directory_options::skip_permission_denied, failed);
  for (std::size_t i = 0; !failed && i < kMaxNames && each != fs::directory_iterator(); ++i) {
    const fs::path extension = each->path().extension();
    if (extension == ".h5" || extension == ".hdf5") files.push_back(each->path());
    each.increment(failed);
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::optional<fs::path> StudyFinder::find(const StudyId& id, const fs::path& lastPlace,
                                          const std::vector<fs::path>& folders,
                                          const std::vector<fs::path>& known) {
  if (!id.known()) return std::nullopt;
  for (const fs::path& file : known) {
    if (is(id, file)) return file;
  }
  for (const fs::path& folder : folders) {
    for (const fs::path& tail : tailsOf(lastPlace)) {
      if (is(id, folder / tail)) return folder / tail;
    }
  }
  for (const fs::path& folder : folders) {
    for (const fs::path& file : studiesIn(folder)) {
      if (is(id, file)) return file;
    }
  }
  return std::nullopt;
}

}  // namespace plastiscope
