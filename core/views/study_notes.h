#pragma once
// User's notes on a capture and its heads, starred heads, and groups of heads. Stored as NAME.notes.json
// beside the file, to be copied with it, with the id of its capture, to be found after renaming.
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/base/json_value.h"
#include "core/base/state_file.h"
#include "core/capture/head_list.h"
#include "core/store/stored_file.h"
#include "core/views/group_statistics.h"
#include "core/views/head_group.h"

namespace plastiscope {

struct StudyNotes {
  std::string study;                      // about the capture as a whole
  std::map<HeadName, std::string> heads;  // never empty texts
  std::set<HeadName> starred;
  HeadGroups groups;
  bool operator==(const StudyNotes&) const = default;
  bool empty() const { return *this == StudyNotes(); }

  Json toJson() const;
  static StudyNotes fromJson(const Json& value);  // invalid entries are left out
};

inline constexpr const char* kNotesSuffix = ".notes.json";
// "study.h5" and "study.analysis.h5" share "study.notes.json".
std::filesystem::path notesFileOf(const std::filesystem::path& study);
// The notes in a file of that name.
StateFile notesFile(const std::filesystem::path& file);
// Content of a notes file: the notes with the capture they belong to, if it is known.
Json notesContent(const StudyNotes& notes, const StudyId& capture);
StudyId captureInNotes(const Json& content);
// The capture that a notes file belongs to; unknown if it has no id or is no notes file.
StudyId captureOfNotes(const std::filesystem::path& notes);

// Replaces the groups in the notes beside a study and keeps its other notes. InputError if they cannot be
// read, were written by a newer version or belong to another capture; ResourceError as StateFile.
void saveGroupsBeside(const std::filesystem::path& study, const HeadGroups& groups);

// Groups as parseGroup() takes them, which may name those beside the study and earlier ones of the list; all
// of the study if the list is empty. UsageError as parseGroup(), for a name given twice, and if there are
// none.
HeadGroups parseGroups(const std::vector<std::string>& texts, const std::filesystem::path& study,
                       const Table& heads);
// Sets what `groups` are compared with: "rest", "layers", a group as parseGroups() takes it, or "" for
// usualAgainst().
void chooseAgainst(GroupOptions& options, const std::string& against, const std::filesystem::path& study,
                   const Table& heads, const HeadGroups& groups);
// The list with the heads of each group written out: "induction=L0H1,L12H6".
std::vector<std::string> groupTexts(const HeadGroups& groups);

}  // namespace plastiscope
