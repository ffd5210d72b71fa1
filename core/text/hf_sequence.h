#pragma once
// What the steps of a tokenizer.json have in common: a `type`, and `Sequence` for several of them.
#include <string>
#include <vector>

#include "core/text/json_node.h"

namespace plastiscope {

// The node itself, or the members of a `Sequence`, whose list has the name `listKey`.
inline std::vector<JsonNode> flattened(const JsonNode& node, const std::string& listKey) {
  if (node.text("type") != "Sequence") return {node};
  std::vector<JsonNode> result;
  for (const JsonNode& item : node.child(listKey).items()) {
    for (const JsonNode& inner : flattened(item, listKey)) result.push_back(inner);
  }
  return result;
}

// The entry of `kinds` whose `name` is the node's type; InputError names the known ones.
template <typename Kinds>
const auto& kindOf(const JsonNode& node, const Kinds& kinds) {
  const std::string type = node.text("type");
  for (const auto& kind : kinds) {
    if (kind.name == type) return kind;
  }
  node.refuseUnknown(type, kinds);
}

}  // namespace plastiscope
