#pragma once
// Reads layer types, windows and RoPE from configurations: rules shared by several families.
#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "core/base/checked_json.h"
#include "core/model/architecture.h"
#include "core/model/model_spec.h"

namespace plastiscope {

// Sets every layer from `layer_types`; returns false when the file has no such list. `window`: size of
// sliding windows in tokens. InputError: an unknown or unsupported type, fewer types than layers, a sliding
// layer without a window. Types beyond the last layer (multi-token prediction) are allowed.
bool readLayerTypes(ModelSpec& spec, const CheckedJson& values, std::int64_t window,
                    std::initializer_list<AttentionKind> supported = {AttentionKind::Full,
                                                                      AttentionKind::Sliding});

// Gives every layer whose number satisfies `slides` a sliding window of that many tokens; 0: no layer.
template <typename Slides>
void slideLayers(ModelSpec& spec, std::int64_t window, Slides&& slides) {
  for (std::int64_t layer = 0; window > 0 && layer < spec.layerCount; ++layer) {
    LayerSpec& one = spec.layers[static_cast<std::size_t>(layer)];
    if (!slides(layer)) continue;
    one.attention = AttentionKind::Sliding;
    one.window = window;
  }
}

// `sliding_window`, 0 when absent.
std::int64_t slidingWindow(const CheckedJson& values);
// The same, but 0 unless `use_sliding_window` is true.
std::int64_t switchedWindow(const CheckedJson& values);

// Windows for the layers in `layer_types`, else for all but every `interval`-th (0: all); `intervalKey` is a
// key with the interval.
void readSlidingLayers(ModelSpec& spec, const CheckedJson& values, std::int64_t interval);
void readSlidingLayers(ModelSpec& spec, const CheckedJson& values, const std::string& intervalKey);

// Gives all layers the sliding window, if there is one.
void slideAllLayers(ModelSpec& spec, const CheckedJson& values);
// Windows, if switched on, for the layers in `layer_types`, else from layer `max_window_layers` on.
void readSwitchedWindows(ModelSpec& spec, const CheckedJson& values);

// Layers with ModelSpec::recurrence instead of attention: from `layer_types`, `recurrent_layers` of GGUF
// files, or all but every n-th, where n is the value of `intervalKey` ("": all).
void readRecurrentLayers(ModelSpec& spec, const CheckedJson& values, const std::string& intervalKey);

// Layers with RoPE: `no_rope_layers` has 1 for yes and 0 for no; if empty, every `interval`-th layer has
// none.
void readRopeLayers(ModelSpec& spec, const CheckedJson& values, std::int64_t interval);

// RoPE rotates pairs (2i, 2i+1) of a head.
void interleaveRope(ModelSpec& spec);
// Rotates queries and keys in float32 also in 16-bit runs.
void computeRopeInFloat32(ModelSpec& spec);

// RoPE settings of config.json, as the family's class reads them.
CheckedJson ropeValues(const CheckedJson& values);

// Granite's factors on the embedding, the residual branches and the scores.
void readMultipliers(ModelSpec& spec, const CheckedJson& values);

// ---- Mixtures of experts.

// Largest accepted number of experts of a layer, and their largest inner size.
constexpr std::int64_t kMaxExperts = 1 << 16, kMaxInner = 1 << 24;

// Reads and checks the number of experts (num_experts, num_local_experts, n_routed_experts or
// moe_num_experts), experts per token (num_experts_per_tok, moe_k or moe_topk) and their width
// (moe_intermediate_size, else intermediate_size). Sets all layers to experts.
void readExperts(ModelSpec& spec, const CheckedJson& values);

// Groups of experts: n_group and topk_group.
void readGroups(ModelSpec& spec, const CheckedJson& values);
// n_shared_experts times the width of an expert; the first layers (first_k_dense_replace) are dense.
void readSharedExperts(ModelSpec& spec, const CheckedJson& values);
// Experts of GLM 4.5 and DeepSeek-V3: all of these, sigmoid scores and a scale.
void readGroupedExperts(ModelSpec& spec, const CheckedJson& values);

// Layers without experts: those in `mlp_only_layers` and those whose number + 1 is not a multiple of
// `decoder_sparse_step`.
void readDenseLayers(ModelSpec& spec, const CheckedJson& values);

// ---- Recurrences.

// Gated delta net of the Qwen families: linear_num_key_heads and similar keys.
void readDeltaNet(ModelSpec& spec, const CheckedJson& values);
// GGUF names of its sizes, and defaults for missing ones.
std::vector<std::pair<std::string, std::string>> deltaNetGgufKeys();
ConfigDefaults deltaNetDefaults();

// Mamba 2: mamba_n_heads and similar keys.
void readMamba2(ModelSpec& spec, const CheckedJson& values);

}  // namespace plastiscope
