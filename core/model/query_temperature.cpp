#include "core/model/query_temperature.h"

#include <algorithm>

#include "core/base/json.h"

namespace plastiscope {

namespace {

// Finds a number by its name, or the last part of it, anywhere in an object.
const Json* numberNamed(const Json& object, const std::string& name) {
  if (!object.is_object()) return nullptr;
  for (const auto& [key, value] : object.items()) {
    if (value.is_number() && (key == name || key.ends_with("." + name))) return &value;
    if (const Json* inside = numberNamed(value, name)) return inside;
  }
  return nullptr;
}

double statedNumber(const Json& object, const std::string& name, double otherwise) {
  const Json* number = numberNamed(object, name);
  return number == nullptr ? otherwise : number->get<double>();
}

}  // namespace

QueryTemperature statedTemperature(const Json& config, const Json& rope) {
  const char* const kOriginal = "original_max_position_embeddings";
  const double beta =
      statedNumber(config, "llama_4_scaling_beta", statedNumber(config, "attention.temperature_scale", 0));
  const auto whole = [](double value) { return static_cast<std::int64_t>(std::clamp(value, 1.0, 1e15)); };
  if (beta > 0) return {beta, whole(statedNumber(config, kOriginal, statedNumber(rope, kOriginal, 1))), 0};
  return {statedNumber(config, "attn_scale", 0.1), whole(statedNumber(config, "floor_scale", 8192)), 1};
}

}  // namespace plastiscope
