#pragma once
// What the Gemma families have in common.
#include <vector>

#include "core/model/architecture.h"

namespace plastiscope {

// Norms before and after each part; they multiply by 1 + w (GGUF files hold the sum).
std::vector<LayerTensor> gemmaNorms();

// Embeddings times sqrt(hidden), norms in float32, scores times query_pre_attn_scalar^(-1/2). GGUF files
// leave that number out: it is the head size, but hidden size / heads in the model of `largestLayers` layers.
void readGemma(ModelSpec& spec, const ConfigValues& values, std::int64_t largestLayers);

}  // namespace plastiscope
