#include "core/base/progress_event.h"

#include <array>
#include <utility>

#include "core/base/checked_json.h"
#include "core/base/json.h"

namespace plastiscope {

namespace {

using EventKind = ProgressEvent::Kind;

constexpr std::array<std::pair<const char*, EventKind>, 6> kEventKinds = {{{"start", EventKind::Start},
                                                                           {"progress", EventKind::Progress},
                                                                           {"unit", EventKind::Unit},
                                                                           {"warning", EventKind::Warning},
                                                                           {"error", EventKind::Error},
                                                                           {"done", EventKind::Done}}};

std::optional<EventKind> eventKindOf(const std::string& name) {
  for (const auto& [known, kind] : kEventKinds) {
    if (name == known) return kind;
  }
  return {};
}

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
  const auto kind = eventKindOf(textOr(object, "event"));
  if (!kind) return {};
  ProgressEvent event;
  event.kind = *kind;
  if (*kind == EventKind::Progress) event.progress = progressFrom(object);
  if (*kind == EventKind::Warning || *kind == EventKind::Error) event.sentence = textOr(object, "message");
  return event;
}

std::string plainSentence(std::string_view line) {
  constexpr std::string_view kName = "plastiscope-cli: ";
  if (line.starts_with(kName)) line.remove_prefix(kName.size());
  return std::string(line);
}

}  // namespace plastiscope
