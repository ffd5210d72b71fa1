#pragma once
// How configurations say which layers see what, and how RoPE rotates them: the rules that several families
// share.
#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "core/base/checked_json.h"
#include "core/model/architecture.h"
#include "core/model/model_spec.h"

namespace plastiscope {

// Sets every layer from `layer_types` and returns true when the file has the list. Windowed layers see
// `window` tokens. InputError: an unknown or unsupported type, another number of types than layers, a
// windowed layer without a window. Layers beyond the last one (for prediction) may have types.
bool readLayerTypes(ModelSpec& spec, const CheckedJson& values, std::int64_t window,
                    std::initializer_list<AttentionKind> supported = {AttentionKind::Full,
                                                                      AttentionKind::Sliding});

// Every layer whose number satisfies `slides` gets a sliding window of that many tokens; 0 = none.
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
// The same, and 0 unless `use_sliding_window` switches it on.
std::int64_t switchedWindow(const CheckedJson& values);

// A window for the layers of `layer_types`, else for all but every `interval`-th (0: for all); the interval
// may stand under a key.
void readSlidingLayers(ModelSpec& spec, const CheckedJson& values, std::int64_t interval);
void readSlidingLayers(ModelSpec& spec, const CheckedJson& values, const std::string& intervalKey);

// Every layer slides when there is a window.
void slideAllLayers(ModelSpec& spec, const CheckedJson& values);
// A switched window for the layers of `layer_types`, else for those from `max_window_layers` on.
void readSwitchedWindows(ModelSpec& spec, const CheckedJson& values);

// The layers in which ModelSpec::recurrence takes the place of attention: `layer_types`, `recurrent_layers`
// of GGUF files, or all but every so many-th as that key says ("": all).
void readRecurrentLayers(ModelSpec& spec, const CheckedJson& values, const std::string& intervalKey);

// RoPE on the layers that have it: `flags` has 1 for yes and 0 for no (`no_rope_layers`), or is empty and
// every `interval`-th layer has none.
void readRopeLayers(ModelSpec& spec, const CheckedJson& values, std::int64_t interval);

// Neighbouring numbers of a head make the pairs that RoPE rotates.
void interleaveRope(ModelSpec& spec);
// Queries and keys are rotated in float32 also in 16-bit runs.
void computeRopeInFloat32(ModelSpec& spec);

// The RoPE settings of config.json as the family's class reads them.
CheckedJson ropeValues(const CheckedJson& values);

// Granite's factors on the embedding, on what each part adds, and on the scores.
void readMultipliers(ModelSpec& spec, const CheckedJson& values);

// ---- How configurations describe mixtures of experts.

// Number of experts (num_experts, num_local_experts or n_routed_experts), how many a token passes
// (num_experts_per_tok) and their width (moe_intermediate_size, else intermediate_size), checked. Every layer
// becomes one of experts.
void readExperts(ModelSpec& spec, const CheckedJson& values);

// Layers without experts: those in `mlp_only_layers` and those whose number + 1 `decoder_sparse_step` does
// not divide.
void readDenseLayers(ModelSpec& spec, const CheckedJson& values);

// ---- How configurations describe recurrences.

// The gated delta net of the Qwen families: linear_num_key_heads and its like.
void readDeltaNet(ModelSpec& spec, const CheckedJson& values);
// What its families call its sizes in GGUF files, and the values of those that they leave out.
std::vector<std::pair<std::string, std::string>> deltaNetGgufKeys();
ConfigDefaults deltaNetDefaults();

// Mamba 2: mamba_n_heads and its like.
void readMamba2(ModelSpec& spec, const CheckedJson& values);

}  // namespace plastiscope
