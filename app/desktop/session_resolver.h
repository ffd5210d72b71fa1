#pragma once
// Resolves a session before its tabs are opened: finds files that were moved or renamed by their identity.
#include <QString>
#include <filesystem>
#include <map>
#include <memory>
#include <vector>

#include "core/base/progress.h"
#include "core/store/stored_file.h"
#include "widgets/state/session_state.h"
#include "widgets/state/study_notes.h"

namespace plastiscope {

// Places to search for moved files, besides the recorded path.
struct SearchPlaces {
  std::vector<std::filesystem::path> folders;
  std::shared_ptr<const StudyIndex> index;
};

using OpenStudies = std::map<std::filesystem::path, std::shared_ptr<const StoredFile>>;

struct ResolvedSession {
  struct Missing {
    QString why;                     // one sentence
    std::filesystem::path analysis;  // analysis of the missing capture; "" = none was found
  };
  SessionState state;                                // with the current paths
  std::map<std::filesystem::path, Missing> missing;  // entries for missing files of state.files()
  std::vector<std::pair<std::filesystem::path, std::filesystem::path>> moved;  // old path, new path
  std::vector<std::filesystem::path> others;  // given files that are not tabs
  OpenStudies open;                           // files that were opened for this
};

// `given`: files added to the session; the last study among them is shown. `head`: selected in all of them.
// Reads files: not on the GUI thread.
ResolvedSession resolveSession(SessionState state, const std::vector<std::filesystem::path>& given,
                               const std::optional<HeadName>& head, const SearchPlaces& places,
                               Progress& progress);

// Why a file is missing: the file alone, or its folder.
QString whyMissing(const std::filesystem::path& file);

}  // namespace plastiscope
