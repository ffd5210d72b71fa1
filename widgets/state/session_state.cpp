#include "widgets/state/session_state.h"

#include "core/base/path_text.h"

namespace plastiscope {

namespace {

bool flagIn(const Json& value, const char* key) {
  return value.is_object() && value.contains(key) && value[key] == true;
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
  return {{"of_head", ofHead},
          {"tokens", tokens},
          {"published", published},
          {"own_ranges", ownRanges},
          {"map_difference", mapDifference},
          {"against", against}};
}

CompareChoices CompareChoices::fromJson(const Json& value) {
  CompareChoices choices;
  choices.ofHead = flagIn(value, "of_head");
  choices.tokens = flagIn(value, "tokens");
  choices.published = flagIn(value, "published");
  choices.ownRanges = flagIn(value, "own_ranges");
  choices.mapDifference = flagIn(value, "map_difference");
  if (value.is_object() && value.contains("against") && value["against"].is_number_integer()) {
    const auto against = value["against"].get<std::int64_t>();
    if (against >= 1 && against < 64) choices.against = static_cast<int>(against);
  }
  return choices;
}

Json BenchmarkChoices::toJson() const {
  return {{"scores", textOfBytes(scores)}, {"predictor", predictor}, {"group", group}};
}

BenchmarkChoices BenchmarkChoices::fromJson(const Json& value) {
  BenchmarkChoices choices;
  const auto read = [&value](const char* key, std::string& into) {
    if (value.is_object() && value.contains(key) && value[key].is_string())
      into = value[key].get<std::string>();
  };
  read("scores", choices.scores);
  choices.scores = bytesOfText(choices.scores);
  read("predictor", choices.predictor);
  read("group", choices.group);
  return choices;
}

Json SessionState::toJson() const {
  Json list = Json::array();
  for (const SessionTab& tab : tabs) {
    Json each = {{"file", pathText(tab.file)}, {"selection", tab.selection.toJson()}};
    for (const auto& file : tab.compared) each["compared"].push_back(pathText(file));
    if (!tab.compared.empty() && !tab.benchmark) each["compare"] = tab.compare.toJson();
    if (tab.benchmark) each["benchmark"] = tab.benchmark->toJson();
    list.push_back(std::move(each));
  }
  return {{"tabs", list}, {"current", current}};
}

SessionState SessionState::fromJson(const Json& value) {
  SessionState state;
  if (!value.is_object() || !value.contains("tabs") || !value["tabs"].is_array()) return state;
  for (const Json& each : value["tabs"]) {
    if (!each.is_object() || !each.contains("file") || !each["file"].is_string()) continue;
    SessionTab tab;
    tab.file = pathOfText(each["file"].get<std::string>());
    tab.compared = pathsIn(each.value("compared", Json()));
    tab.compare = CompareChoices::fromJson(each.value("compare", Json()));
    if (each.contains("selection")) tab.selection = ViewSelection::fromJson(each["selection"]);
    if (each.contains("benchmark")) tab.benchmark = BenchmarkChoices::fromJson(each["benchmark"]);
    if (!tab.file.empty() || !tab.compared.empty() || tab.benchmark) state.tabs.push_back(std::move(tab));
  }
  if (value.contains("current") && value["current"].is_number_integer()) {
    const auto current = value["current"].get<std::int64_t>();
    if (current >= -1 && current < static_cast<std::int64_t>(state.tabs.size()))
      state.current = static_cast<int>(current);
  }
  return state;
}

}  // namespace plastiscope
