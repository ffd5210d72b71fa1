#pragma once
// How configurations describe recurrences.
#include "core/model/config_values.h"
#include "core/model/model_spec.h"

namespace plastiscope {

// The gated delta net of the Qwen families: linear_num_key_heads and its like.
void readDeltaNet(ModelSpec& spec, const ConfigValues& values);

// Mamba 2: mamba_n_heads and its like.
void readMamba2(ModelSpec& spec, const ConfigValues& values);

}  // namespace plastiscope
