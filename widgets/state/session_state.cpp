#include "widgets/state/session_state.h"

#include <algorithm>

#include "core/base/checked_json.h"
#include "core/base/json.h"
#include "core/base/path_text.h"
#include "core/compare/comparison.h"

namespace plastiscope {

namespace {

bool flagIn(const Json& value, const char* key) {
  return value.is_object() && value.contains(key) && value[key] == true;
}

std::set<std::string> textsIn(const Json& value, const char* key) {
  std::set<std::string> texts;
  if (!value.is_object() || !value.contains(key) || !value[key].is_array()) return texts;
  for (const Json& each : value[key]) {
    if (each.is_string()) texts.insert(each.get<std::string>());
  }
  return texts;
}

std::map<std::string, int> looksIn(const Json& value) {
  std::map<std::string, int> looks;
  if (!value.is_object() || !value.contains("looks") || !value["looks"].is_object()) return looks;
  for (const auto& [print, look] : value["looks"].items()) {
    if (look.is_number_integer() && look >= 0 && look < kLooks) looks[print] = look.get<int>();
  }
  return looks;
}

std::vector<std::filesystem::path> pathsIn(const Json& list) {
  std::vector<std::filesystem::path> paths;
  if (!list.is_array()) return paths;
  for (const Json& each : list) {
    if (each.is_string() && !each.get<std::string>().empty())
      paths.push_back(pathOfText(each.get<std::string>()));
  }
  return paths;
}

}  // namespace

Json CompareChoices::toJson() const {
  return {{"of_head", ofHead},          {"tokens", tokens},        {"published", published},
          {"no_intervals", !intervals}, {"own_ranges", ownRanges}, {"map_difference", mapDifference},
          {"against", against},         {"charts", charts},        {"hidden_rows", hiddenRows},
          {"differences", differences}, {"matching", matching},    {"all_heads", allHeads}};
}

CompareChoices CompareChoices::fromJson(const Json& value) {
  CompareChoices choices;
  choices.ofHead = flagIn(value, "of_head");
  choices.tokens = flagIn(value, "tokens");
  choices.published = flagIn(value, "published");
  choices.intervals = !flagIn(value, "no_intervals");
  choices.ownRanges = flagIn(value, "own_ranges");
  choices.mapDifference = flagIn(value, "map_difference");
  if (value.is_object() && value.contains("against") && value["against"].is_number_integer()) {
    const auto against = value["against"].get<std::int64_t>();
    if (against >= 1 && against < 64) choices.against = static_cast<int>(against);
  }
  choices.charts = flagIn(value, "charts");
  choices.allHeads = flagIn(value, "all_heads");
  choices.hiddenRows = textsIn(value, "hidden_rows");
  choices.differences = textsIn(value, "differences");
  choices.matching = textOr(value, "matching");
  return choices;
}

Json BenchmarkChoices::toJson() const {
  return {{"scores", textOfBytes(scores)}, {"predictor", predictor}, {"group", group}};
}

BenchmarkChoices BenchmarkChoices::fromJson(const Json& value) {
  BenchmarkChoices choices;
  choices.scores = bytesOfText(textOr(value, "scores", choices.scores));
  choices.predictor = textOr(value, "predictor", choices.predictor);
  choices.group = textOr(value, "group");
  return choices;
}

namespace {

Json understood(const SessionTab& tab) {
  Json result = {{"file", pathText(tab.file)}, {"selection", tab.selection.toJson()}};
  for (const auto& file : tab.compared) result["compared"].push_back(pathText(file));
  if (!tab.compared.empty() && !tab.benchmark) result["compare"] = tab.compare.toJson();
  if (!tab.looks.empty()) result["looks"] = tab.looks;
  if (tab.benchmark) result["benchmark"] = tab.benchmark->toJson();
  return result;
}

// The members of `value` that are not in `known`, at any depth.
Json beyond(const Json& value, const Json& known) {
  Json rest = Json::object();
  for (const auto& [key, part] : value.items()) {
    if (!known.contains(key)) {
      rest[key] = part;
    } else if (part.is_object() && known[key].is_object()) {
      if (Json deeper = beyond(part, known[key]); !deeper.empty()) rest[key] = std::move(deeper);
    }
  }
  return rest;
}

// Adds the members of `rest` that are not in `known`.
Json completed(Json known, const Json& rest) {
  for (const auto& [key, part] : rest.items()) {
    if (!known.contains(key))
      known[key] = part;
    else if (known[key].is_object() && part.is_object())
      known[key] = completed(known[key], part);
  }
  return known;
}

std::optional<SessionTab> tabFrom(const Json& value) {
  if (!value.is_object() || !value.contains("file") || !value["file"].is_string()) return std::nullopt;
  SessionTab tab;
  tab.file = pathOfText(value["file"].get<std::string>());
  tab.compared = pathsIn(value.value("compared", Json()));
  tab.compare = CompareChoices::fromJson(value.value("compare", Json()));
  if (value.contains("selection")) tab.selection = ViewSelection::fromJson(value["selection"]);
  if (value.contains("benchmark")) tab.benchmark = BenchmarkChoices::fromJson(value["benchmark"]);
  tab.looks = looksIn(value);
  if (tab.file.empty() && tab.compared.empty() && !tab.benchmark) return std::nullopt;
  tab.unknown = beyond(value, understood(tab));
  return tab;
}

std::map<std::filesystem::path, StudyId> idsFrom(const Json& list) {
  std::map<std::filesystem::path, StudyId> ids;
  if (!list.is_array()) return ids;
  for (const Json& each : list) {
    const StudyId id = StudyId::fromJson(each);
    if (id.known() && each.contains("file") && each["file"].is_string())
      ids[pathOfText(each["file"].get<std::string>())] = id;
  }
  return ids;
}

}  // namespace

std::vector<std::filesystem::path> SessionState::files() const {
  std::vector<std::filesystem::path> files;
  const auto add = [&files](const std::filesystem::path& file) {
    if (!file.empty() && std::ranges::find(files, file) == files.end()) files.push_back(file);
  };
  for (const SessionTab& tab : tabs) {
    add(tab.file);
    for (const auto& file : tab.compared) add(file);
  }
  return files;
}

Json SessionState::toJson() const {
  Json list = Json::array(), studies = Json::array();
  for (const SessionTab& tab : tabs) list.push_back(completed(understood(tab), tab.unknown));
  for (const Json& tab : unknownTabs) list.push_back(tab);
  for (const auto& file : files()) {
    const auto id = ids.find(file);
    if (id == ids.end() || !id->second.known()) continue;
    studies.push_back(id->second.toJson());
    studies.back()["file"] = pathText(file);
  }
  return completed({{"tabs", list}, {"current", current}, {"studies", studies}}, unknown);
}

SessionState SessionState::fromJson(const Json& value) {
  SessionState state;
  if (!value.is_object() || !value.contains("tabs") || !value["tabs"].is_array()) return state;
  for (const Json& each : value["tabs"]) {
    if (auto tab = tabFrom(each))
      state.tabs.push_back(std::move(*tab));
    else if (each.is_object() && !each.empty() && !each.contains("file"))
      state.unknownTabs.push_back(each);
  }
  if (value.contains("current") && value["current"].is_number_integer()) {
    const auto current = value["current"].get<std::int64_t>();
    if (current >= -1 && current < static_cast<std::int64_t>(state.tabs.size()))
      state.current = static_cast<int>(current);
  }
  state.ids = idsFrom(value.value("studies", Json()));
  state.unknown = beyond(value, {{"tabs", 0}, {"current", 0}, {"studies", 0}});
  return state;
}

QString tabsText(std::size_t tabs) {
  return tabs == 1 ? QObject::tr("1 tab") : QObject::tr("%1 tabs").arg(tabs);
}

}  // namespace plastiscope
