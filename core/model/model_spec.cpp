#include "core/model/model_spec.h"

#include "core/base/json.h"

namespace plastiscope {

std::string_view nameOf(AttentionKind kind) {
  static constexpr std::string_view kNames[] = {"full", "sliding", "chunked", "cross", "linear"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::string_view layerTypeNameOf(AttentionKind kind) {
  static constexpr std::string_view kNames[] = {"full_attention", "sliding_attention", "chunked_attention",
                                                "cross_attention", "linear_attention"};
  return kNames[static_cast<std::size_t>(kind)];
}

Json ropeJson(const std::vector<RopeSpec>& ropes) {
  if (ropes.size() == 1) return ropes.front().toJson();
  Json json = Json::object();
  for (const RopeSpec& one : ropes) json[one.layerType] = one.toJson();
  return json;
}

Json mainRope(const Json& ropeJson) {
  if (!ropeJson.is_object() || ropeJson.contains("rope_type")) return ropeJson;
  const auto full = ropeJson.find(std::string(layerTypeNameOf(AttentionKind::Full)));
  return full == ropeJson.end() ? ropeJson : *full;
}

}  // namespace plastiscope
