#include "widgets/state/session_state.h"

namespace plastiscope {

Json SessionState::toJson() const {
  Json list = Json::array();
  for (const SessionTab& tab : tabs) {
    list.push_back(
        {{"file", tab.file.string()}, {"selection", tab.selection.toJson()}});
  }
  return {{"tabs", list}, {"current", current}};
}

SessionState SessionState::fromJson(const Json& value) {
  SessionState state;
  if (!value.is_object() || !value.contains("tabs") || !value["tabs"].is_array()) return state;
  for (const Json& each : value["tabs"]) {
    if (!each.is_object() || !each.contains("file") || !each["file"].is_string()) continue;
    SessionTab tab;
    tab.file = each["file"].get<std::string>();
    if (each.contains("selection")) tab.selection = ViewSelection::fromJson(each["selection"]);
    if (!tab.file.empty()) state.tabs.push_back(std::move(tab));
  }
  if (value.contains("current") && value["current"].is_number_integer()) {
    const auto current = value["current"].get<std::int64_t>();
    if (current >= -1 && current < static_cast<std::int64_t>(state.tabs.size()))
      state.current = static_cast<int>(current);
  }
  return state;
}

}  // namespace plastiscope
