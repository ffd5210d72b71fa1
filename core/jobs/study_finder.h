#pragma once
// Finds moved or renamed captures and analyses by their ids.
#include <filesystem>
#include <map>
#include <optional>
#include <vector>

#include "core/base/progress.h"
#include "core/store/stored_file.h"
#include "core/views/study.h"

namespace plastiscope {

// The id of an opened study: of its capture if that file was opened, else of the analysis.
StudyId studyIdOf(const Study& study);

// One search, with a cache of the files read. Reads files: not for the GUI thread.
class StudyFinder {
 public:
  static constexpr std::size_t kMaxFiles = 256;  // opened in all by one search

  explicit StudyFinder(Progress& progress) : m_progress(progress) {}
  // A file with this id: first among `known`, then by the name of `lastPlace` in `folders` (also in the same
  // subfolders), then any other in `folders`. Nothing if the id is not known.
  std::optional<std::filesystem::path> find(const StudyId& id, const std::filesystem::path& lastPlace,
                                            const std::vector<std::filesystem::path>& folders,
                                            const std::vector<std::filesystem::path>& known = {});

  // Adds a known id to the cache, so that the file is not opened. An unknown id: it never matches.
  void remember(const std::filesystem::path& file, const StudyId& id);
  // Whether the file has that id; false if it cannot be read.
  bool is(const StudyId& id, const std::filesystem::path& file);
  // The opened file of a result; null at the second call.
  std::shared_ptr<const StoredFile> take(const std::filesystem::path& file);

 private:
  const std::vector<std::filesystem::path>& studiesIn(const std::filesystem::path& folder);

  Progress& m_progress;
  std::size_t m_read = 0;
  std::map<std::filesystem::path, std::shared_ptr<const StoredFile>> m_found;
  std::map<std::filesystem::path, StudyId> m_ids;
  std::map<std::filesystem::path, std::vector<std::filesystem::path>> m_listed;
};

}  // namespace plastiscope
