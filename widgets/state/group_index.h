#pragma once
// Groups of heads by model, so that the other captures of a model can use them. Stored in the settings
// folder; the notes of a study remain the place of its own groups.
#include <filesystem>
#include <vector>

#include "core/base/state_file.h"
#include "core/views/head_group.h"
#include "core/views/study_facts.h"

namespace plastiscope {

// Groups of another capture or analysis of the same model.
struct GroupOffer {
  std::filesystem::path file;
  HeadGroups groups;
};

// GUI thread only: the file is small.
class GroupIndex {
 public:
  static constexpr std::size_t kMaximum = 200;  // files

  // "" = stores nothing.
  explicit GroupIndex(const std::filesystem::path& settingsFolder);

  // Puts the file first; without groups it is forgotten. Write errors are ignored.
  void remember(const StudyFacts& facts, const std::filesystem::path& file, const HeadGroups& groups);
  // Groups of other files whose model has this name and as many layers and heads, newest first.
  std::vector<GroupOffer> offersFor(const StudyFacts& facts, const std::filesystem::path& file) const;

 private:
  StateFile m_file;
  bool m_stores;
};

}  // namespace plastiscope
