#pragma once
// What an architecture file states: the names it answers to, its tensors, its defaults, and what is
// particular.
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/checked_json.h"
#include "core/model/model.h"

namespace plastiscope {

// One dimension of a tensor, or a number of heads, in a layer.
using SizeOf = std::int64_t (*)(const ModelSpec&, const LayerSpec&);
// Whether a layer of this model has a tensor.
using Applies = bool (*)(const ModelSpec&, const LayerSpec&);

// A tensor that every layer has (or every layer for which `applies` holds).
struct LayerTensor {
  TensorRole role;
  std::string_view hf;        // after the layer's prefix: "self_attn.q_proj.weight"; "" = not in such files;
                              // * stands for the number of the expert, one tensor for each
  std::string_view gguf;      // after "blk.N.": "attn_q.weight"; "" = not in such files
  std::vector<SizeOf> shape;  // outermost first; experts in one tensor: without the number of experts
  Applies applies = nullptr;  // nullptr: always
  TensorLayout hfLayout = TensorLayout::Plain;  // how a safetensors file holds it
  SizeOf ggufPermutedHeads = nullptr;           // GGUF rows are permuted per head of this many heads
  float hfOffset = 0;                           // added to what a safetensors file holds (norms of 1 + w)
};

// What a key has where a file leaves it out (null: nothing, which is read as null in a file is), and whether
// a file may set it to null.
struct ConfigDefault : std::variant<std::nullptr_t, bool, std::int64_t, double, std::string> {
  using variant::variant;
  bool mayBeNull = index() == 0;
};
using ConfigDefaults = std::map<std::string, ConfigDefault>;
// Out of JSON: {"head_dim": 128, "sliding_window?": 4096, "layer_types": null}, where "?" marks a key that a
// file may set to null.
ConfigDefaults classKeys(const char* json);
// `values` (an object) with the defaults for keys that are absent.
Json withDefaults(Json values, const ConfigDefaults& defaults);

// How the RoPE settings of config.json stand for the layer types of a family.
enum class RopeLayers {
  Alike,   // one set for all layers
  Scaled,  // one a layer type; rope_scaling and rope_theta are for layers with full attention
  Listed,  // one a layer type, all in rope_parameters
};

struct Architecture {
  std::string name;
  std::vector<std::string> modelTypes;  // `model_type` in config.json
  std::vector<std::string> classes;     // `architectures` in config.json, asked when there is no model_type
  std::vector<std::string> ggufNames;   // `general.architecture`
  // Where two families share a GGUF name: metadata key after "NAME." that only this one has, not zero.
  std::string ggufMark;
  // The keys of the family's configuration class that are read beside those of every class (hf_config.cpp),
  // and rope_theta; partial_rotary_factor where the family rotates a part of the head. Other keys of
  // config.json have no effect.
  ConfigDefaults defaults;
  ConfigDefaults ggufDefaults;     // what has another value, or none, where GGUF files leave it out
  std::string ropeDefault = "{}";  // the class's rope_parameters where config.json has none, as JSON
  RopeLayers ropeLayers = RopeLayers::Alike;
  bool onlyLongrope = false;  // RoPE is plain or longrope, which may be called su or yarn
  std::string normEpsKey = "rms_norm_eps";
  // Further keys of GGUF metadata, after the architecture's prefix, with their Hugging Face names.
  std::vector<std::pair<std::string, std::string>> ggufKeys;
  std::vector<LayerTensor> layerTensors;
  std::vector<LayerTensor> tensorsBesideLayers;  // further ones, named without what stands before "layers."
  // What the rows of a safetensors file's tensor are multiplied by (GGUF files hold the products), or
  // nothing.
  std::vector<RowScale> (*hfScales)(const ModelSpec&, TensorRole) = nullptr;
  std::string hfAnchor = "self_attn.q_proj.weight";  // the layer prefix is what stands before N.<anchor>
  std::string hfEmbedding = "embed_tokens.weight";   // beside the layers
  std::string ggufEmbedding = "token_embd.weight";
  std::int64_t extraEmbeddingRows = 0;  // beyond the vocabulary
  // Tensors that a capture does not need, named without what stands before "layers."; * stands for any text.
  std::vector<std::string> ignored = {
      "norm.weight",      "norm.bias",         "*lm_head.weight",       "*rotary_emb.inv_freq",
      "*vision_tower.*",  "*vision_model.*",   "output.weight",         "output_norm.weight",
      "output_norm.bias", "rope_freqs.weight", "rope_factors_*.weight", "*multi_modal_projector.*"};
  bool normsAfterRope = false;        // queries and keys are normed, with weights, after RoPE
  std::vector<std::string> ropeKeys;  // RoPE settings that `completeSpec` reads itself
  // RoPE settings by layer type out of the settings of a GGUF file; nullptr: all layers are rotated alike.
  Json (*ropeByLayerType)(const CheckedJson&, const Json& settings) = nullptr;
  // Sets what RoPE settings depend on where layers differ in it: their kinds and their heads; nullptr:
  // nothing.
  void (*readLayers)(ModelSpec&, const CheckedJson&) = nullptr;
  // Sets what differs from the plain decoder (windows, layers without RoPE, score scale); may throw
  // InputError.
  void (*completeSpec)(ModelSpec&, const CheckedJson&) = nullptr;
};

// Sizes that most tensors are made of.
namespace sizes {
inline constexpr SizeOf one = [](const ModelSpec&, const LayerSpec&) { return std::int64_t{1}; };
inline constexpr SizeOf hidden = [](const ModelSpec& m, const LayerSpec&) { return m.hidden; };
inline constexpr SizeOf intermediate = [](const ModelSpec&, const LayerSpec& l) { return l.intermediate; };
inline constexpr SizeOf twoIntermediate = [](const ModelSpec&, const LayerSpec& l) {
  return 2 * l.intermediate;
};  // gate and up
inline constexpr SizeOf queryHeads = [](const ModelSpec& m, const LayerSpec&) { return m.queryHeads; };
inline constexpr SizeOf keyHeads = [](const ModelSpec&, const LayerSpec& l) { return l.keyHeads; };
inline constexpr SizeOf headDim = [](const ModelSpec&, const LayerSpec& l) { return l.headDim; };
inline constexpr SizeOf queryRows = [](const ModelSpec& m, const LayerSpec& l) {
  return m.queryHeads * l.headDim;
};
inline constexpr SizeOf twoQueryRows = [](const ModelSpec& m, const LayerSpec& l) {
  return 2 * queryRows(m, l);
};  // with the gate's
inline constexpr SizeOf keyRows = [](const ModelSpec&, const LayerSpec& l) { return l.keyHeads * l.headDim; };
// Of queries, keys and values.
inline constexpr SizeOf operandRows = [](const ModelSpec& m, const LayerSpec& l) {
  return queryRows(m, l) + 2 * keyRows(m, l);
};
inline constexpr SizeOf experts = [](const ModelSpec& m, const LayerSpec&) { return m.experts.count; };
inline constexpr SizeOf expertInner = [](const ModelSpec& m, const LayerSpec&) { return m.experts.inner; };
inline constexpr SizeOf twoExpertInner = [](const ModelSpec& m, const LayerSpec&) {
  return 2 * m.experts.inner;
};
inline constexpr SizeOf sharedInner = [](const ModelSpec& m, const LayerSpec&) {
  return m.experts.sharedInner;
};
inline constexpr SizeOf twoSharedInner = [](const ModelSpec& m, const LayerSpec&) {
  return 2 * m.experts.sharedInner;
};
// Of the recurrence.
inline constexpr SizeOf stateHeads = [](const ModelSpec& m, const LayerSpec&) { return m.recurrence.heads; };
inline constexpr SizeOf stateChannels = [](const ModelSpec& m, const LayerSpec&) {
  return m.recurrence.channels();
};
inline constexpr SizeOf stateKernel = [](const ModelSpec& m, const LayerSpec&) {
  return m.recurrence.kernel;
};
inline constexpr SizeOf stateValueRows = [](const ModelSpec& m, const LayerSpec&) {
  return m.recurrence.valueRows();
};
inline constexpr SizeOf stateRates = [](const ModelSpec& m, const LayerSpec&) {
  return m.recurrence.rates();
};
inline constexpr SizeOf stateInputRows = [](const ModelSpec& m, const LayerSpec&) {
  return m.recurrence.inputRows();
};
inline constexpr SizeOf stateOperandsGate = [](const ModelSpec& m, const LayerSpec&) {  // channels and gate
  return m.recurrence.channels() + m.recurrence.valueRows();
};
inline constexpr SizeOf stateNormed = [](const ModelSpec& m, const LayerSpec&) {
  return m.recurrence.normedTogether;
};
inline constexpr SizeOf stateNormGroups = [](const ModelSpec& m, const LayerSpec& l) {
  return stateValueRows(m, l) / stateNormed(m, l);
};
inline constexpr SizeOf vocabulary = [](const ModelSpec& m, const LayerSpec&) { return m.vocabulary; };
inline constexpr SizeOf layerInput = [](const ModelSpec& m, const LayerSpec&) { return m.layerInput; };
inline constexpr SizeOf allLayerInputs = [](const ModelSpec& m, const LayerSpec&) {
  return m.layerCount * m.layerInput;
};
}  // namespace sizes

// When a tensor is there.
namespace when {
// Has queries and keys of its own.
inline constexpr Applies attends = [](const ModelSpec&, const LayerSpec& layer) {
  return layer.hasVectors();
};
inline constexpr Applies attentionBias = [](const ModelSpec& m, const LayerSpec& layer) {
  return m.attentionBias && layer.hasVectors();
};
inline constexpr Applies outputBias = [](const ModelSpec& m, const LayerSpec& layer) {
  return m.outputBias && layer.hasVectors();
};
inline constexpr Applies headNorms = [](const ModelSpec& m, const LayerSpec& layer) {
  return m.queryKeyNorm.present && layer.hasVectors();
};
// The feed-forward part is not made of experts.
inline constexpr Applies dense = [](const ModelSpec&, const LayerSpec& layer) { return !layer.experts; };
inline constexpr Applies mlpBias = [](const ModelSpec& m, const LayerSpec& layer) {
  return m.mlpBias && !layer.experts;
};
inline constexpr Applies experts = [](const ModelSpec&, const LayerSpec& layer) { return layer.experts; };
inline constexpr Applies sharedExpert = [](const ModelSpec& m, const LayerSpec& layer) {
  return layer.experts && m.experts.sharedInner > 0;
};
inline constexpr Applies recurs = [](const ModelSpec&, const LayerSpec& layer) { return layer.recurrence; };
inline constexpr Applies convolutionBias = [](const ModelSpec& m, const LayerSpec& layer) {
  return layer.recurrence && m.recurrence.convolutionBias;
};
inline constexpr Applies recurrenceNorm = [](const ModelSpec& m, const LayerSpec& layer) {
  return layer.recurrence && m.recurrence.normedTogether > 0;
};
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
// The block of Llama: norms before both parts, attention with its biases, and mlp.
std::vector<LayerTensor> llamaBlock(bool permuted = false);
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
// The group where that holds.
std::vector<LayerTensor> only(Applies applies, std::vector<LayerTensor> group);
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
// InputError that lists the known names and says what takes every model.
[[noreturn]] void refuseArchitecture(const std::filesystem::path& file, const std::string& place,
                                     const std::string& found);

}  // namespace plastiscope
