#pragma once
// Finds captures and analyses that are not where they were by what they are, not by their name alone.
#include <filesystem>
#include <map>
#include <optional>
#include <vector>

#include "core/base/progress.h"
#include "core/store/stored_file.h"
#include "core/views/study.h"

namespace plastiscope {

// The id of a study as it was opened: of its capture when that file was opened, else of the analysis.
StudyId studyIdOf(const Study& study);

// One search: what was read of a file is kept for the next question. Reads files: not on the GUI thread.
class StudyFinder {
 public:
  static constexpr std::size_t kMostFiles = 256;  // that are opened in all, whatever is asked

  explicit StudyFinder(Progress& progress) : m_progress(progress) {}
  // A file that is `id`: first those of `known`, then those of the name of `lastPlace` in `folders` (also
  // below the same folders as there), then any other in `folders`. Nothing when the id is not known.
  std::optional<std::filesystem::path> find(const StudyId& id, const std::filesystem::path& lastPlace,
                                            const std::vector<std::filesystem::path>& folders,
                                            const std::vector<std::filesystem::path>& known = {});

  // What is known of a file already: it is not opened. An unknown id: it is not what is looked for.
  void remember(const std::filesystem::path& file, const StudyId& id);
  // Whether the file is that study; false when it cannot be read.
  bool is(const StudyId& id, const std::filesystem::path& file);
  // A file that was found, as it was opened for that; null the second time.
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
