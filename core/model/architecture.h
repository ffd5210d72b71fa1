#pragma once
// Description of an architecture: names, tensors, defaults and special rules of a model family.
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

// A dimension of a tensor or a number of heads, in a given layer.
using SizeOf = std::int64_t (*)(const ModelSpec&, const LayerSpec&);
// Whether a layer of this model has a tensor.
using Applies = bool (*)(const ModelSpec&, const LayerSpec&);

// A tensor of every layer, or of every layer for which `applies` is true.
struct LayerTensor {
  TensorRole role;
  std::string_view hf;        // after the layer prefix: "self_attn.q_proj.weight"; "" = not in safetensors;
                              // * is the number of the expert or head, with one tensor for each
  std::string_view gguf;      // after "blk.N.": "attn_q.weight"; "" = not in GGUF
  std::vector<SizeOf> shape;  // outermost first; for experts in one tensor without the number of experts
  Applies applies = nullptr;  // nullptr: always
  TensorLayout hfLayout = TensorLayout::Plain;  // layout in safetensors
  SizeOf ggufPermutedHeads = nullptr;           // GGUF rows are permuted per head of this many heads
  float hfOffset = 0;                           // added to values of safetensors (norms stored as w - 1)
  SizeOf pairedHeads = nullptr;  // in both containers the rotated rows at the end of each of this many heads
                                 // are neighbouring pairs; 0: they are not
};

// Default of a configuration key that a file omits (null: same as null in a file), and whether null is
// allowed in a file.
struct ConfigDefault : std::variant<std::nullptr_t, bool, std::int64_t, double, std::string> {
  using variant::variant;
  bool mayBeNull = index() == 0;
};
using ConfigDefaults = std::map<std::string, ConfigDefault>;
// Parses JSON: {"head_dim": 128, "sliding_window?": 4096, "layer_types": null}, where "?" marks a key that
// may be null in a file.
ConfigDefaults classKeys(const char* json);
// `values` (an object) completed with defaults for missing keys.
Json withDefaults(Json values, const ConfigDefaults& defaults);

// How the RoPE settings of config.json apply to the layer types of a family.
enum class RopeLayers {
  Alike,   // one set for all layers
  Scaled,  // one set per layer type; rope_scaling and rope_theta apply to full attention
  Listed,  // one set per layer type, all in rope_parameters
};

struct Architecture {
  std::string name;
  std::vector<std::string> modelTypes;  // `model_type` in config.json
  std::vector<std::string> classes;     // `architectures` in config.json, used without model_type
  std::vector<std::string> ggufNames;   // `general.architecture`
  // Tells families with the same GGUF name apart: a metadata key after "NAME." that is nonzero only here.
  std::string ggufMark;
  // Keys of the family's configuration class, in addition to those of all classes (hf_config.cpp) and
  // rope_theta; includes partial_rotary_factor if the family rotates part of the head. Other keys of
  // config.json have no effect.
  ConfigDefaults defaults;
  ConfigDefaults ggufDefaults;     // defaults that differ for GGUF files
  std::string ropeDefault = "{}";  // default of the class for rope_parameters, as JSON
  RopeLayers ropeLayers = RopeLayers::Alike;
  bool onlyLongrope = false;        // RoPE is default or longrope (also called su or yarn)
  bool mropeIsDefault = false;      // kind "mrope" is default
  bool shareFromRotaryDim = false;  // rotary_dim stands in for a missing partial_rotary_factor
  bool widthPerLayer = false;       // intermediate_size may be a list with a number for each layer
  std::string normEpsKey = "rms_norm_eps";
  // Keys of config.json and their usual names, which have no effect in this family.
  std::vector<std::pair<std::string, std::string>> hfKeys;
  // Additional GGUF metadata keys (after the architecture prefix) and their Hugging Face names.
  std::vector<std::pair<std::string, std::string>> ggufKeys;
  std::vector<LayerTensor> layerTensors;
  std::vector<LayerTensor> tensorsBesideLayers;  // names without the part before "layers."
  // Factors on the rows of a safetensors tensor (already applied in GGUF files); empty for none.
  std::vector<RowScale> (*hfScales)(const ModelSpec&, TensorRole) = nullptr;
  std::string hfAnchor = "self_attn.q_proj.weight";  // the layer prefix precedes N.<anchor>
  std::string hfEmbedding = "embed_tokens.weight";   // outside the layers
  std::string ggufEmbedding = "token_embd.weight";
  std::int64_t extraEmbeddingRows = 0;  // in addition to the vocabulary
  // Tensors not needed for a capture, named without the part before "layers."; * is any text.
  std::vector<std::string> ignored = {
      "norm.weight",      "norm.bias",         "*lm_head.weight",       "*rotary_emb.inv_freq",
      "*vision_tower.*",  "*vision_model.*",   "output.weight",         "output_norm.weight",
      "output_norm.bias", "rope_freqs.weight", "rope_factors_*.weight", "*multi_modal_projector.*"};
  bool normsAfterRope = false;        // norms of queries and keys (with weights) follow RoPE
  std::vector<std::string> ropeKeys;  // RoPE settings read by `completeSpec`
  // Splits RoPE settings of a GGUF file by layer type; nullptr: same RoPE in all layers.
  Json (*ropeByLayerType)(const CheckedJson&, const Json& settings) = nullptr;
  // Sets layer kinds and heads where layers differ, before RoPE settings are read; nullptr: nothing to do.
  void (*readLayers)(ModelSpec&, const CheckedJson&) = nullptr;
  // Sets deviations from the plain decoder (windows, layers without RoPE, score scale). InputError possible.
  void (*completeSpec)(ModelSpec&, const CheckedJson&) = nullptr;
};

// A family whose model type is its name and whose classes are PREFIXForCausalLM and PREFIXModel.
Architecture family(std::string name, const std::string& classPrefix,
                    std::vector<std::string> ggufNames = {});

// Sizes used by most tensors.
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
};  // including the gate
inline constexpr SizeOf keyRows = [](const ModelSpec&, const LayerSpec& l) { return l.keyHeads * l.headDim; };
// Rows of queries, keys and values.
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
// Sizes of latent attention.
inline constexpr SizeOf queryRank = [](const ModelSpec& m, const LayerSpec&) { return m.latent.queryRank; };
inline constexpr SizeOf latentRank = [](const ModelSpec& m, const LayerSpec&) { return m.latent.rank; };
inline constexpr SizeOf latentDownRows = [](const ModelSpec& m, const LayerSpec&) {
  return m.latent.rank + m.latent.ropeDim;
};
inline constexpr SizeOf nopeDim = [](const ModelSpec& m, const LayerSpec&) { return m.latent.nopeDim; };
inline constexpr SizeOf latentValueDim = [](const ModelSpec& m, const LayerSpec&) {
  return m.latent.valueDim;
};
inline constexpr SizeOf latentValueRows = [](const ModelSpec& m, const LayerSpec&) {
  return m.queryHeads * m.latent.valueDim;
};
inline constexpr SizeOf latentUpRows = [](const ModelSpec& m, const LayerSpec&) {
  return m.queryHeads * (m.latent.nopeDim + m.latent.valueDim);
};
inline constexpr SizeOf pairedQueryHeads = [](const ModelSpec& m, const LayerSpec&) {
  return m.latent.storedInPairs ? m.queryHeads : 0;
};
inline constexpr SizeOf pairedKeyHeads = [](const ModelSpec& m, const LayerSpec&) {
  return std::int64_t{m.latent.storedInPairs};
};
// Sizes of the recurrence.
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
// Sizes of alternating updates and the augmented residual layer.
inline constexpr SizeOf streams = [](const ModelSpec& m, const LayerSpec&) { return m.altUp.streams; };
inline constexpr SizeOf squaredStreams = [](const ModelSpec& m, const LayerSpec&) {
  return m.altUp.streams * m.altUp.streams;
};
inline constexpr SizeOf otherStreams = [](const ModelSpec& m, const LayerSpec&) {
  return m.altUp.streams - 1;
};
inline constexpr SizeOf laurelRank = [](const ModelSpec& m, const LayerSpec&) { return m.laurelRank; };
inline constexpr SizeOf layerInput = [](const ModelSpec& m, const LayerSpec&) { return m.layerInput; };
inline constexpr SizeOf layerInputVocabulary = [](const ModelSpec& m, const LayerSpec&) {
  return m.layerInputVocabulary;
};
inline constexpr SizeOf allLayerInputs = [](const ModelSpec& m, const LayerSpec&) {
  return m.layerCount * m.layerInput;
};
}  // namespace sizes

// Conditions for the presence of a tensor.
namespace when {
// The layer computes its own queries and keys.
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
// The feed-forward part is dense.
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

// Groups of tensors under common names.
namespace tensors {
// q, k, v and o. `permuted`: rows of q and k are permuted in GGUF files (Llama converter only).
std::vector<LayerTensor> attention(bool permuted = false);
// Their biases, subject to when::attentionBias and when::outputBias.
std::vector<LayerTensor> attentionBiases(bool permuted = false);
// gate, up and down with biases, subject to when::mlpBias.
std::vector<LayerTensor> mlp();
// gate and up in one tensor, and down.
std::vector<LayerTensor> fusedMlp();
// Llama's block: norms before both parts, attention with biases, mlp.
std::vector<LayerTensor> llamaBlock(bool permuted = false);
// A feed-forward part without gate: up and down with biases, subject to when::mlpBias.
struct UpAndDown {
  std::string_view up, upBias, down, downBias;  // in safetensors
};
std::vector<LayerTensor> plainMlp(const UpAndDown& names);
// input_layernorm and post_attention_layernorm, each before its part; the GGUF name of the second varies.
std::vector<LayerTensor> preNorms(float hfOffset = 0, std::string_view ggufMlpNorm = "ffn_norm.weight");
// The biases of those.
std::vector<LayerTensor> preNormBiases();
// post_attention_layernorm and post_feedforward_layernorm, each after its part.
std::vector<LayerTensor> postNorms();
// q_norm and k_norm per head, or over all heads jointly.
std::vector<LayerTensor> headNorms(float hfOffset = 0);
std::vector<LayerTensor> jointHeadNorms();
// Router `mlp.gate` and `mlp.experts.*`, one tensor per expert; in GGUF files one for all.
std::vector<LayerTensor> mlpExperts();
// Mixtral's block_sparse_moe.*
std::vector<LayerTensor> mixtralExperts();
// Shared expert: mlp.shared_expert.* with a gate, or mlp.shared_experts.* without.
std::vector<LayerTensor> sharedExpert();
std::vector<LayerTensor> sharedExperts();
// Latent attention: q or its two factors, kv_a_proj_with_mqa, kv_b_proj (GGUF: may be two tensors) and o.
std::vector<LayerTensor> latentAttention();
// Gated attention: q with gate, k, v and o with their biases and norms.
std::vector<LayerTensor> gatedAttention(float hfOffset);
// Recurrences; deltaNet() omits the input projections, which vary by family.
std::vector<LayerTensor> deltaNet();
std::vector<LayerTensor> mamba2();
std::vector<LayerTensor> joined(std::initializer_list<std::vector<LayerTensor>> groups);
// The group, restricted to layers for which `applies` is true.
std::vector<LayerTensor> only(Applies applies, std::vector<LayerTensor> group);
}  // namespace tensors

// ---- List of architectures. To add one: a file architectures/NAME.cpp and a line in architectures/list.inc.

const std::vector<Architecture>& architectures();

// nullptr when no architecture has the name.
const Architecture* architectureOfModelType(const std::string& modelType);
const Architecture* architectureOfClass(const std::string& className);
// `isSet`: whether the metadata contain a key (after the prefix); tells families with the same name apart.
const Architecture* architectureOfGguf(const std::string& name,
                                       const std::function<bool(const std::string& key)>& isSet);
// InputError that lists the known names and suggests ps.record of the Python package.
[[noreturn]] void refuseArchitecture(const std::filesystem::path& file, const std::string& place,
                                     const std::string& found);

}  // namespace plastiscope
