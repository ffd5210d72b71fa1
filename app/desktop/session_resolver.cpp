#include "app/desktop/session_resolver.h"

#include <QObject>
#include <algorithm>

#include "core/base/path_text.h"
#include "core/compare/reference_data.h"
#include "core/jobs/study_finder.h"
#include "widgets/jobs/job_runner.h"
#include "widgets/models/library_entry.h"

namespace fs = std::filesystem;

namespace plastiscope {

namespace {

constexpr std::size_t kMaxFolders = 24;

bool isThere(const fs::path& file) {
  std::error_code ignored;
  return fs::is_regular_file(file, ignored);
}

// The folder of the file first, then those of the other files.
std::vector<fs::path> foldersFor(const fs::path& file, const std::vector<fs::path>& files,
                                 const SearchPlaces& places) {
  std::vector<fs::path> folders;
  const auto add = [&folders](const fs::path& folder) {
    std::error_code ignored;
    if (folders.size() < kMaxFolders && std::ranges::find(folders, folder) == folders.end() &&
        fs::is_directory(folder, ignored))
      folders.push_back(folder);
  };
  add(file.parent_path());
  for (const fs::path& folder : places.folders) add(folder);
  for (const fs::path& each : files) add(each.parent_path());
  return folders;
}

void rename(SessionState& state, const fs::path& before, const fs::path& now) {
  for (SessionTab& tab : state.tabs) {
    if (tab.file == before) tab.file = now;
    std::ranges::replace(tab.compared, before, now);
  }
  if (auto id = state.ids.extract(before); !id.empty()) {
    id.key() = now;
    state.ids.insert(std::move(id));
  }
}

void join(SessionState& state, const fs::path& file, const std::optional<HeadName>& head) {
  auto tab = std::ranges::find_if(
      state.tabs, [&](const SessionTab& each) { return each.file == file && each.compared.empty(); });
  if (tab == state.tabs.end()) tab = state.tabs.insert(tab, SessionTab{file, {}});
  if (head) tab->selection.head = head;
  state.current = static_cast<int>(tab - state.tabs.begin());
}

}  // namespace

QString whyMissing(const fs::path& file) {
  std::error_code ignored;
  if (!fs::is_directory(file.parent_path(), ignored))
    return QObject::tr("Its folder is not there: it was moved or renamed, or its drive is not connected.");
  if (fs::is_directory(file, ignored)) return QObject::tr("There is a folder of that name instead.");
  return QObject::tr("It was moved, renamed or deleted.");
}

ResolvedSession resolveSession(SessionState state, const std::vector<fs::path>& given,
                               const std::optional<HeadName>& head, const SearchPlaces& places,
                               Progress& progress) {
  ResolvedSession resolved;
  StudyFinder finder(progress);
  const std::vector<fs::path> files = state.files();
  for (const fs::path& file : files) {
    if (publishedIdOf(pathText(file))) continue;  // built into the program
    const auto id = state.ids.find(file);
    const StudyId wanted = id == state.ids.end() ? StudyId() : id->second;
    const bool there = isThere(file);
    if (there && (!wanted.known() || finder.is(wanted, file))) {
      if (auto open = finder.take(file)) resolved.open[file] = std::move(open);
      continue;
    }
    const std::vector<fs::path> folders = foldersFor(file, files, places);
    const std::vector<fs::path> known =
        places.index ? places.index->filesOf(wanted) : std::vector<fs::path>();
    const auto now = finder.find(wanted, file, folders, known);
    if (now && std::ranges::find(files, *now) == files.end()) {  // not a copy with its own tab
      rename(state, file, *now);
      if (auto open = finder.take(*now)) resolved.open[*now] = std::move(open);
      resolved.moved.emplace_back(file, *now);
      continue;
    }
    if (there) continue;  // made again under the same name
    ResolvedSession::Missing missing{whyMissing(file), {}};
    const fs::path beside = fs::path(file).replace_extension(".analysis.h5");
    const auto left = resultOf<StudyId>([&] { return studyIdOf(beside); });
    const bool same =
        left.ok() && !left.value->analysis.empty() && (!wanted.known() || left.value->ofCapture() == wanted);
    if (same) missing.analysis = beside;
    resolved.missing[file] = std::move(missing);
  }
  for (const fs::path& file : given) {
    const auto opened = resultOf<OpenedPath>([&] { return openPath(file); });
    if (opened.ok() && opened.value->study) {
      join(state, file, head);
      resolved.open[file] = opened.value->study;
    } else {
      resolved.others.push_back(file);  // opening it reports the error
    }
  }
  resolved.state = std::move(state);
  return resolved;
}

}  // namespace plastiscope
