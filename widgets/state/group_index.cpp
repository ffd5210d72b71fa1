#include "widgets/state/group_index.h"

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/base/path_text.h"

namespace fs = std::filesystem;

namespace plastiscope {

namespace {

constexpr int kGroupIndexVersion = 1;
constexpr const char* kFiles = "files";

Json keyOf(const StudyFacts& facts) {
  return {facts.model, facts.layers, facts.queryHeads};
}

Json filesIn(const StateFile& file) {
  const Json content = file.read();
  const Json files = content.is_object() ? content.value(kFiles, Json()) : Json();
  return files.is_array() ? files : Json::array();
}

bool isOf(const Json& entry, const fs::path& file) {
  return entry.is_object() && entry.value("file", Json()) == Json(pathText(file));
}

}  // namespace

GroupIndex::GroupIndex(const fs::path& settingsFolder)
    : m_file(settingsFolder / "groups.json", "plastiscope-groups", kGroupIndexVersion),
      m_stores(!settingsFolder.empty()) {}

void GroupIndex::remember(const StudyFacts& facts, const fs::path& file, const HeadGroups& groups) {
  if (!m_stores) return;
  Json kept = Json::array();
  if (!groups.empty())
    kept.push_back({{"model", keyOf(facts)}, {"file", pathText(file)}, {"groups", groupsToJson(groups)}});
  for (const Json& entry : filesIn(m_file)) {
    if (!isOf(entry, file) && kept.size() < kMaximum) kept.push_back(entry);
  }
  try {
    m_file.write({{kFiles, kept}});
  } catch (const Error&) {
  }
}

std::vector<GroupOffer> GroupIndex::offersFor(const StudyFacts& facts, const fs::path& file) const {
  std::vector<GroupOffer> offers;
  if (!m_stores) return offers;
  for (const Json& entry : filesIn(m_file)) {
    if (!entry.is_object() || isOf(entry, file) || entry.value("model", Json()) != keyOf(facts)) continue;
    const Json place = entry.value("file", Json());
    HeadGroups groups = groupsFromJson(entry.value("groups", Json()));
    if (place.is_string() && !groups.empty())
      offers.push_back({pathOfText(place.get<std::string>()), std::move(groups)});
  }
  return offers;
}

}  // namespace plastiscope
