#pragma once
// How configurations describe mixtures of experts.
#include "core/model/config_values.h"
#include "core/model/model_spec.h"

namespace plastiscope {

// Number of experts (num_experts, num_local_experts or n_routed_experts), how many a token passes
// (num_experts_per_tok) and their width (moe_intermediate_size, else intermediate_size), checked. Every layer
// becomes one of experts.
void readExperts(ModelSpec& spec, const ConfigValues& values);

// Layers without experts: those in `mlp_only_layers` and those whose number + 1 `decoder_sparse_step` does
// not divide.
void readDenseLayers(ModelSpec& spec, const ConfigValues& values);

}  // namespace plastiscope
