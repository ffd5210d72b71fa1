#pragma once
// The query temperature in a model's configuration.
#include "core/base/json_value.h"
#include "core/model/model_spec.h"

namespace plastiscope {

// For layers whose queries carry a temperature. config: config.json or GGUF metadata; rope: settings for full
// attention. Ministral 3 has llama_4_scaling_beta; Llama 4 has attn_scale and floor_scale, or their defaults.
QueryTemperature statedTemperature(const Json& config, const Json& rope);

}  // namespace plastiscope
