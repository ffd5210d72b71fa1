#include "core/base/progress_event.h"

#include <algorithm>
#include <array>

#include "core/base/checked_json.h"
#include "core/base/json.h"

namespace plastiscope {

namespace {

// In the order of ProgressEvent::Kind.
constexpr std::array kEventNames = {"start", "progress", "unit", "warning", "error", "done", "message"};

ProgressState progressFrom(const Json& object) {
  ProgressState state;
  state.stage = textOr(object, "stage");
  state.done = numberOr(object, "done", 0);
  state.total = numberOr(object, "total", 0);
  state.unit = textOr(object, "unit");
  state.tokensPerSecond = numberOr(object, "tokens_per_second", -1);
  state.etaSeconds = numberOr(object, "eta_seconds", -1);
  return state;
}

}  // namespace

std::optional<ProgressEvent> parseProgressEvent(std::string_view line) {
  const Json object = Json::parse(line.begin(), line.end(), nullptr, false);
  if (!object.is_object()) return {};
  const auto name = std::ranges::find(kEventNames, textOr(object, "event"));
  if (name == kEventNames.end()) return {};
  using Kind = ProgressEvent::Kind;
  ProgressEvent event;
  event.kind = static_cast<Kind>(name - kEventNames.begin());
  if (event.kind == Kind::Progress) event.progress = progressFrom(object);
  if (event.kind == Kind::Warning || event.kind == Kind::Error || event.kind == Kind::Message)
    event.sentence = textOr(object, "message");
  return event;
}

std::string plainSentence(std::string_view line) {
  constexpr std::string_view kName = "plastiscope-cli: ";
  if (line.starts_with(kName)) line.remove_prefix(kName.size());
  return std::string(line);
}

}  // namespace plastiscope
