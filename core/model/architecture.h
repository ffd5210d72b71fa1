#pragma once
// What an architecture file states: the names it answers to, its tensors, its defaults, and what is
// particular.
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/json_value.h"
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
  std::string_view hf;        // after the layer's prefix: "self_attn.q_proj.weight"; "" = not in such files;
                              // * stands for the number of the expert, one tensor for each
  std::string_view gguf;      // after "blk.N.": "attn_q.weight"; "" = not in such files
  std::vector<SizeOf> shape;  // outermost first; experts in one tensor: without the number of experts
  Applies applies = nullptr;  // nullptr: always
  SizeOf ggufPermutedHeads = nullptr;           // GGUF rows are permuted per head of this many heads
  TensorLayout hfLayout = TensorLayout::Plain;  // how a safetensors file holds it
  float hfOffset = 0;                           // added to what a safetensors file holds (norms of 1 + w)
};

struct Architecture {
  std::string name;
  std::vector<std::string> modelTypes;  // `model_type` in config.json
  std::vector<std::string> classes;     // `architectures` in config.json, asked when there is no model_type
  std::vector<std::string> ggufNames;   // `general.architecture`
  // Where two families share a GGUF name: metadata key after "NAME." that only this one has, not zero.
  std::string ggufMark;
  ConfigDefaults defaults;      // values of absent or null keys, those of the model's own class;
                                // also for RoPE settings: rope_theta, partial_rotary_factor
  ConfigDefaults ggufDefaults;  // the same for what GGUF files leave out
  std::string normEpsKey = "rms_norm_eps";
  // Further keys of GGUF metadata, after the architecture's prefix, with their Hugging Face names.
  std::vector<std::pair<std::string, std::string>> ggufKeys;
  std::vector<LayerTensor> layerTensors;
  std::string hfAnchor = "self_attn.q_proj.weight";  // the layer prefix is what stands before N.<anchor>
  std::string hfEmbedding = "embed_tokens.weight";   // beside the layers
  std::string ggufEmbedding = "token_embd.weight";
  std::int64_t extraEmbeddingRows = 0;  // beyond the vocabulary
  // Tensors that a capture does not need, named without what stands before "layers."; * stands for any text.
  std::vector<std::string> ignored = {
      "norm.weight",      "norm.bias",         "*lm_head.weight",       "*rotary_emb.inv_freq",
      "*vision_tower.*",  "*vision_model.*",   "output.weight",         "output_norm.weight",
      "output_norm.bias", "rope_freqs.weight", "rope_factors_*.weight", "*multi_modal_projector.*"};
  std::vector<std::string> ropeKeys;  // RoPE settings that `completeSpec` reads itself
  // RoPE settings by layer type out of settings for all layers; nullptr: all layers are rotated alike unless
  // the file says otherwise.
  Json (*ropeByLayerType)(const ConfigValues&, const Json& settings) = nullptr;
  // Sets what differs from the plain decoder (windows, layers without RoPE, score scale); may throw
  // InputError.
  void (*completeSpec)(ModelSpec&, const ConfigValues&) = nullptr;
};

// Sizes that most tensors are made of.
namespace sizes {
std::int64_t one(const ModelSpec& spec, std::int64_t layer);
std::int64_t hidden(const ModelSpec& spec, std::int64_t layer);
std::int64_t intermediate(const ModelSpec& spec, std::int64_t layer);
std::int64_t twoIntermediate(const ModelSpec& spec, std::int64_t layer);  // gate and up in one tensor
std::int64_t queryHeads(const ModelSpec& spec, std::int64_t layer);
std::int64_t keyHeads(const ModelSpec& spec, std::int64_t layer);
std::int64_t headDim(const ModelSpec& spec, std::int64_t layer);
std::int64_t queryRows(const ModelSpec& spec, std::int64_t layer);    // query heads * head_dim
std::int64_t keyRows(const ModelSpec& spec, std::int64_t layer);      // key heads * head_dim
std::int64_t operandRows(const ModelSpec& spec, std::int64_t layer);  // of queries, keys and values
std::int64_t experts(const ModelSpec& spec, std::int64_t layer);
std::int64_t expertInner(const ModelSpec& spec, std::int64_t layer);
std::int64_t twoExpertInner(const ModelSpec& spec, std::int64_t layer);
std::int64_t sharedInner(const ModelSpec& spec, std::int64_t layer);
std::int64_t twoSharedInner(const ModelSpec& spec, std::int64_t layer);
std::int64_t twoQueryRows(const ModelSpec& spec, std::int64_t layer);  // with those of the gate
// Of the recurrence.
std::int64_t stateHeads(const ModelSpec& spec, std::int64_t layer);
std::int64_t stateChannels(const ModelSpec& spec, std::int64_t layer);
std::int64_t stateKernel(const ModelSpec& spec, std::int64_t layer);
std::int64_t stateValueRows(const ModelSpec& spec, std::int64_t layer);
std::int64_t stateRates(const ModelSpec& spec, std::int64_t layer);
std::int64_t stateInputRows(const ModelSpec& spec, std::int64_t layer);
std::int64_t stateOperandsGate(const ModelSpec& spec, std::int64_t layer);  // channels and gate
std::int64_t stateNormGroups(const ModelSpec& spec, std::int64_t layer);
std::int64_t stateNormed(const ModelSpec& spec, std::int64_t layer);  // numbers that share a norm
}  // namespace sizes

// When a tensor is there.
namespace when {
bool attentionBias(const ModelSpec& spec, std::int64_t layer);
bool outputBias(const ModelSpec& spec, std::int64_t layer);
bool mlpBias(const ModelSpec& spec, std::int64_t layer);
bool dense(const ModelSpec& spec, std::int64_t layer);  // the feed-forward part is not made of experts
bool experts(const ModelSpec& spec, std::int64_t layer);
bool sharedExpert(const ModelSpec& spec, std::int64_t layer);
bool headNorms(const ModelSpec& spec, std::int64_t layer);  // QueryKeyNorm::present
bool attends(const ModelSpec& spec, std::int64_t layer);    // has queries and keys of its own
bool recurs(const ModelSpec& spec, std::int64_t layer);     // LayerSpec::recurrence
bool convolutionBias(const ModelSpec& spec, std::int64_t layer);
}  // namespace when

// Groups of tensors under the names that most families use.
namespace tensors {
// q, k, v and o. `permuted`: GGUF files permute the rows of q and k (only the Llama converter does).
std::vector<LayerTensor> attention(bool permuted = false);
// Their biases, where when::attentionBias and when::outputBias say so.
std::vector<LayerTensor> attentionBiases(bool permuted = false);
// gate, up and down, and where when::mlpBias says so their biases.
std::vector<LayerTensor> mlp();
// gate and up in one tensor, and down.
std::vector<LayerTensor> fusedMlp();
// input_layernorm and post_attention_layernorm, both before their part; GGUF files have two names for the
// second.
std::vector<LayerTensor> preNorms(float hfOffset = 0, std::string_view ggufMlpNorm = "ffn_norm.weight");
// post_attention_layernorm and post_feedforward_layernorm, both after their part.
std::vector<LayerTensor> postNorms();
// q_norm and k_norm for each head, or over all heads together.
std::vector<LayerTensor> headNorms(float hfOffset = 0);
std::vector<LayerTensor> jointHeadNorms();
// Router `mlp.gate` and `mlp.experts.*`, one tensor for each expert; in GGUF files all in one.
std::vector<LayerTensor> mlpExperts();
// The expert that all tokens pass: mlp.shared_expert.* with a gate, or mlp.shared_experts.*.
std::vector<LayerTensor> sharedExpert();
std::vector<LayerTensor> sharedExperts();
// Attention whose output is gated: q, its gate, k, v and o with their biases and norms.
std::vector<LayerTensor> gatedAttention(float hfOffset);
// Recurrences, without the projections of the delta net's input, in which its families differ.
std::vector<LayerTensor> deltaNet();
std::vector<LayerTensor> mamba2();
std::vector<LayerTensor> joined(std::initializer_list<std::vector<LayerTensor>> groups);
}  // namespace tensors

// ---- The list of architectures. To add one: a file architectures/NAME.cpp and its line in
// architectures/list.inc.

const std::vector<Architecture>& architectures();

// nullptr when no architecture answers to the name.
const Architecture* architectureOfModelType(const std::string& modelType);
const Architecture* architectureOfClass(const std::string& className);
// `isSet`: whether the metadata have a key (after the architecture's prefix), which tells families of one
// name apart.
const Architecture* architectureOfGguf(const std::string& name,
                                       const std::function<bool(const std::string& key)>& isSet);
std::string architectureNames();  // "llama, ...", for messages

}  // namespace plastiscope
