#pragma once
// What an architecture file states: the names it answers to, its tensors, its defaults, and what is
// particular.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/json.h"
#include "core/model/config_values.h"
#include "core/model/model.h"

namespace plastiscope {

// One dimension of a tensor, or a number of heads, in a layer.
using SizeOf = std::int64_t (*)(const ModelSpec&, std::int64_t layer);
// Whether a layer of this model has a tensor.
using Applies = bool (*)(const ModelSpec&, std::int64_t layer);

// A tensor that every layer has (or every layer for which `applies` holds).
struct LayerTensor {
  TensorRole role;
  std::string_view hf;                 // after the layer's prefix: "self_attn.q_proj.weight"
  std::string_view gguf;               // after "blk.N.": "attn_q.weight"
  std::vector<SizeOf> shape;           // outermost first
  Applies applies = nullptr;           // nullptr: always
  SizeOf ggufPermutedHeads = nullptr;  // GGUF rows are permuted per head of this many heads
};

struct Architecture {
  std::string name;
  std::vector<std::string> modelTypes;  // `model_type` in config.json
  std::vector<std::string> classes;     // `architectures` in config.json, asked when there is no model_type
  std::vector<std::string> ggufNames;   // `general.architecture`
  Json defaults = Json::object();       // values of absent or null keys: those of the model's own class
  std::vector<LayerTensor> layerTensors;
  std::string hfAnchor = "self_attn.q_proj.weight";  // the layer prefix is what stands before N.<anchor>
  std::string hfEmbedding = "embed_tokens.weight";   // beside the layers
  std::string ggufEmbedding = "token_embd.weight";
  // Tensors that a capture does not need, named without what stands before "layers."; * stands for any text.
  std::vector<std::string> ignored = {
      "norm.weight",           "*lm_head.weight",         "*rotary_emb.inv_freq", "*vision_tower.*",
      "*vision_model.*",       "output.weight",           "output_norm.weight",   "rope_freqs.weight",
      "rope_factors_*.weight", "*multi_modal_projector.*"};
  std::vector<std::string> ropeKeys;  // RoPE settings that `refine` reads itself
  // Sets what differs from the plain decoder (windows, layers without RoPE, score scale); may throw
  // InputError.
  void (*refine)(ModelSpec&, const ConfigValues&) = nullptr;
};

// Sizes that most tensors are made of.
namespace sizes {
std::int64_t hidden(const ModelSpec& spec, std::int64_t layer);
std::int64_t intermediate(const ModelSpec& spec, std::int64_t layer);
std::int64_t queryHeads(const ModelSpec& spec, std::int64_t layer);
std::int64_t keyHeads(const ModelSpec& spec, std::int64_t layer);
std::int64_t queryRows(const ModelSpec& spec, std::int64_t layer);  // query heads * head_dim
std::int64_t keyRows(const ModelSpec& spec, std::int64_t layer);    // key heads * head_dim
}  // namespace sizes

}  // namespace plastiscope
