#pragma once
// A session before its tabs are opened: files that were moved or renamed are found by what they are.
#include <QString>
#include <filesystem>
#include <map>
#include <memory>
#include <vector>

#include "core/base/progress.h"
#include "core/store/stored_file.h"
#include "widgets/state/session_state.h"
#include "widgets/state/study_index.h"

namespace plastiscope {

// Where files are looked for that are not where they were, besides that place itself.
struct SearchPlaces {
  std::vector<std::filesystem::path> folders;
  std::shared_ptr<const StudyIndex> index;
};

using OpenStudies = std::map<std::filesystem::path, std::shared_ptr<const StoredFile>>;

struct ResolvedSession {
  struct Missing {
    QString why;                     // one sentence
    std::filesystem::path analysis;  // of the capture that is missing; "" = none was found
  };
  SessionState state;                                // with the files as they are now
  std::map<std::filesystem::path, Missing> missing;  // of state.files()
  std::vector<std::pair<std::filesystem::path, std::filesystem::path>> moved;  // before, now
  std::vector<std::filesystem::path> others;  // given files that are no tab of their own
  OpenStudies open;                           // files that had to be opened for this
};

// `given`: files that join the session; the last one that is a study stands in front. `head`: of all of them.
// Reads files: not on the GUI thread.
ResolvedSession resolveSession(SessionState state, const std::vector<std::filesystem::path>& given,
                               const std::optional<HeadName>& head, const SearchPlaces& places,
                               Progress& progress);

// Why a file is not there: it alone, or its folder.
QString whyMissing(const std::filesystem::path& file);

}  // namespace plastiscope
