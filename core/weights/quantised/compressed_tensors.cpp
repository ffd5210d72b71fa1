// quant_method "compressed-tensors": of its many formats the 8-bit floating point ones, with a scale a
// tensor, a row or a rectangle.
#include <algorithm>

#include "core/base/foreign_text.h"
#include "core/base/json.h"
#include "core/weights/quantised/scaled_weights.h"

namespace plastiscope::quantised {

namespace {

const Json& member(const Json& object, const char* key) {
  static const Json kNull;
  const auto found = object.is_object() ? object.find(key) : object.end();
  return found == object.end() ? kNull : *found;
}

std::string textOf(const Json& value) {
  return sanitized(value.is_string() ? value.get<std::string>() : canonicalJson(value));
}

std::string unreadGroup(const Json& group, const Json& formatOfAll) {
  const Json& own = member(group, "format");
  const Json& format = own.is_null() ? formatOfAll : own;
  if (format != "float-quantized" && format != "naive-quantized") return "format " + textOf(format);
  const Json& weights = member(group, "weights");
  if (member(weights, "type") != "float" || member(weights, "num_bits") != 8) {
    return textOf(member(weights, "num_bits")) + "-bit weights of type " + textOf(member(weights, "type"));
  }
  return "";
}

std::string unreadCompressed(const Request& request) {
  const Json& sparsity = member(member(request.config, "sparsity_config"), "format");
  if (!sparsity.is_null() && sparsity != "dense") return "sparse weights, " + textOf(sparsity);
  const Json& transforms = member(member(request.config, "transform_config"), "config_groups");
  if (!transforms.empty()) return "transformed weights";
  const Json& groups = member(request.config, "config_groups");
  if (!groups.is_object() || groups.empty()) return "without config_groups";
  for (const Json& group : groups) {
    const std::string reason = unreadGroup(group, member(request.config, "format"));
    if (!reason.empty()) return reason;
  }
  return "";
}

Derivation deriveCompressed(const TensorSource& stored, const Request& request) {
  ScaleRule rule{{"_scale"}, {0, 0}};
  for (const Json& group : member(request.config, "config_groups")) {
    const Json& rectangle = member(member(group, "weights"), "block_structure");
    if (!rectangle.is_null()) rule.rectangle = rectangleFrom(rectangle, "block_structure", request.file);
  }
  return scaledWeights(stored, rule);
}

}  // namespace

const Method kCompressedTensors{"compressed-tensors", unreadCompressed, deriveCompressed};

}  // namespace plastiscope::quantised
