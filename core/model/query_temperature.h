#pragma once
// The query temperature that a model's configuration states, for captures of it.
#include "core/base/json_value.h"
#include "core/model/model_spec.h"

namespace plastiscope {

// Of a layer whose queries carry one. config: as the model's files have it (config.json, or GGUF metadata);
// rope: the RoPE settings of its layers with full attention. Ministral 3 states llama_4_scaling_beta, Llama 4
// attn_scale and floor_scale or their defaults.
QueryTemperature statedTemperature(const Json& config, const Json& rope);

}  // namespace plastiscope
