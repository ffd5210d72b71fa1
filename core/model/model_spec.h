#pragma once
// Specification of a model, from config.json or GGUF metadata; sufficient to build the forward pass.
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/json_value.h"

namespace plastiscope {

// Rotary position embedding: a kind of rope_kinds.h and its values.
struct RopeSpec {
  std::string kind = "default";  // default, linear, dynamic, llama3, yarn, longrope, proportional
  std::string layerType;         // layers it applies to: "full_attention", ...; "" = all
  double theta = 10000;
  std::int64_t rotaryDim = 0;     // rotated dimensions; head_dim unless partial
  std::int64_t first = 0;         // the first of them; 0 unless the rotated part is at the end of the head
  bool interleaved = false;       // pairs (2i, 2i+1) instead of (i, i + rotaryDim/2)
  bool computeInFloat32 = false;  // rotate in float32, whatever the compute type
  double factor = 1;
  std::int64_t originalContext = 0;              // original_max_position_embeddings; 0 = not given
  std::int64_t maxPositions = 0;                 // max_position_embeddings
  double lowFreqFactor = 1, highFreqFactor = 4;  // llama3
  double betaFast = 32, betaSlow = 1;            // yarn
  bool truncate = true;                          // yarn
  std::optional<double> attentionFactor, mscale, mscaleAllDim;
  std::vector<double> shortFactor, longFactor;  // longrope [rotaryDim / 2]
  double rotatedShare = 1;              // proportional: share of the pairs, from the first on, that rotate
  std::vector<float> frequencyFactors;  // GGUF rope_freqs.weight: divisors of the inverse frequencies
  Json toJson() const;                  // settings used by the kind
};

enum class AttentionKind {
  Full,
  Sliding,  // the last `window` tokens
  Chunked,  // causal inside blocks of `window` tokens
  Cross,    // keys come from another modality: skipped for text, no rows captured
  Linear,   // recurrence instead of attention: computed, no rows captured
};
std::string_view nameOf(AttentionKind kind);           // "full", "sliding", "chunked", "cross", "linear"
std::string_view layerTypeNameOf(AttentionKind kind);  // as in `layer_types`: "full_attention", ...

struct LayerSpec {
  AttentionKind attention = AttentionKind::Full;
  std::int64_t window =
      0;  // sliding: tokens visible to a query, itself included; chunked: block size; 0 = all
  bool rope = true;
  std::size_t ropeIndex = 0;  // index into ModelSpec::ropes
  bool queryScale = false;    // the captured query includes ModelSpec::temperature
  bool experts = false;       // the feed-forward part is ModelSpec::experts
  bool recurrence = false;    // ModelSpec::recurrence runs instead of attention or beside it
  std::int64_t keyHeads = 0, headDim = 0, intermediate = 0;  // ModelSpec's unless layers differ
  double sparsity = 0;            // share of the gate's activations set to 0 (layer_parts.h); 0 = none
  bool valuesAreKeys = false;     // no value projection: values are the keys before norm and RoPE
  std::int64_t keysOfLayer = -1;  // uses keys and values of this earlier layer; -1: its own
  bool ownKeys() const { return keysOfLayer < 0; }
  bool hasVectors() const { return attention != AttentionKind::Cross && attention != AttentionKind::Linear; }
};

enum class Activation { Silu, GeluTanh, Gelu, ReluSquared, ClampedSwiglu, Xielu };

// All norms of a model are of one kind; their places follow from the tensors.
struct NormSpec {
  double eps = 1e-5;
  bool subtractMean = false;      // LayerNorm if true, else RMSNorm
  bool computeInFloat32 = false;  // weights are applied in float32, before rounding to the compute type
  bool weightless = false;        // InputNorm, MlpNorm and the final norm
};

// Norms of queries and keys. With weights, their shape decides between norms per head and over all heads.
struct QueryKeyNorm {
  bool present = false;  // for families with a switch for it
  bool afterRope = false;
  bool weightless = false;  // RMS norm per head, on layers with RoPE only
};

// Factor on the query that grows with position: 1 + beta ln(1 + floor((position + offset) / length)).
struct QueryTemperature {
  double beta = 0;
  std::int64_t length = 1, offset = 0;
};

// Choice and weighting of the experts of a token.
enum class RouterScore { Softmax, Sigmoid };
struct ExpertSpec {
  std::int64_t count = 0, used = 0;
  std::int64_t inner = 0;        // width of an expert
  std::int64_t sharedInner = 0;  // width of the shared expert; 0 = none
  RouterScore score = RouterScore::Softmax;
  bool fused = false;                       // one tensor for all experts, gate and up in one (safetensors)
  bool besideDense = false;                 // added to a dense part; both have their own norms
  bool routerInFloat32 = false;             // the router works in float32
  bool renormalise = false;                 // normalise the chosen scores to sum 1
  bool scaleInput = false;                  // scores multiply the expert's input instead of its output
  double scale = 1;                         // factor on the chosen scores
  std::int64_t groups = 1, usedGroups = 1;  // choose experts from the best groups only
  std::int64_t groupRank = 2;               // a group's score is the sum of that many of its best experts
};

// Multi-head latent attention (DeepSeek-V2, arXiv 2405.04434): every head has a part without position and a
// rotated one, in this order. The rotated part of the key is the same for all heads; the rest of the keys and
// the values are formed from a narrow vector of each token, which has an RMS norm.
struct LatentSpec {
  std::int64_t rank = 0;                    // width of that vector; 0 = attention without it
  std::int64_t queryRank = 0;               // width of the vector that queries are formed from; 0 = none
  std::int64_t nopeDim = 0, ropeDim = 0;    // dimensions of both parts
  std::int64_t valueDim = 0;                // per head, at most nopeDim + ropeDim
  bool storedInPairs = false;               // rows of rotated parts are stored as neighbouring pairs
  bool separateKeyValue = false;            // key and value rows are two tensors (newer GGUF files)
  static constexpr double kNormEps = 1e-6;  // of its norms in every model
};

// Linear recurrence with a state S [key_dim, value_dim] per head: each token updates S to decay S + strength
// k u^T and reads S^T q. Mamba 2 (Dao and Gu 2024): u is the token's value and the strength its step. Gated
// delta rule (Yang et al. 2024): u is the value minus the prediction of the decayed state for k.
struct RecurrenceSpec {
  bool deltaRule = false;  // also: queries and keys normalised to 1/sqrt(key_dim) and 1, learned strengths
  std::int64_t heads = 0, keyHeads = 0;  // consecutive heads share the query and key of one key head,
  bool cyclicKeys = false;               // or every key_heads-th
  std::int64_t keyDim = 0, valueDim = 0;
  std::int64_t kernel = 0;  // width in tokens of the convolution over queries, keys and values
  bool convolutionBias = false;
  bool gateFirst = false;           // gate before norm; otherwise norm before gate
  std::int64_t normedTogether = 0;  // output channels per norm group; 0 = no norm
  // > 0: no states, but a gated short convolution (LFM2): projections b, c, x of that many channels each,
  // c * convolution(b * x), output projection.
  std::int64_t gatedChannels = 0;
  std::int64_t keyRows() const { return keyHeads * keyDim; }
  std::int64_t valueRows() const { return heads * valueDim + gatedChannels; }
  std::int64_t channels() const { return 2 * keyRows() + valueRows(); }  // of the convolution
  std::int64_t rates() const { return (deltaRule ? 2 : 1) * heads; }     // strengths and steps
  std::int64_t inputRows() const { return valueRows() + channels() + rates() + gatedChannels; }
};

// Factors on inputs and outputs of a layer's matrices; GGUF files hold the scaled matrices.
struct Multipliers {
  double attentionIn = 1, key = 1, attentionOut = 1;
  double recurrenceIn = 1, recurrenceOut = 1;
  std::array<double, 5> recurrence = {1, 1, 1, 1, 1};  // for gate, values, keys, queries, steps
  double mlpGate = 1, mlpOut = 1;
};

// Alternating updates (Baykal et al. 2023): a token has several streams of hidden states. A layer predicts
// all of them, runs on the active one and corrects the others by its change.
struct AltUpSpec {
  std::int64_t streams = 0;  // 0 = one hidden state, without alternating updates
  std::int64_t active = 0;
  bool scaled = true;  // the active stream is scaled for the per-layer input
};

struct ModelSpec {
  std::string name;          // general.name, _name_or_path or the folder's name
  std::string architecture;  // "llama"
  std::int64_t layerCount = 0, hidden = 0, intermediate = 0, vocabulary = 0;
  std::int64_t queryHeads = 0, keyHeads = 0, headDim = 0;
  std::int64_t contextLength = 0;
  double scoreScale = 0;    // 1/sqrt(head_dim) unless the model has its own
  double scoreSoftcap = 0;  // scores s become cap tanh(s / cap); 0 = no cap
  double embeddingScale = 1, residualScale = 1;
  double logitScale = 1, logitSoftcap = 0;  // for the logits; cap as scoreSoftcap
  NormSpec norm;
  QueryKeyNorm queryKeyNorm;
  double operandClip = 0;  // queries, keys (both before RoPE) and values are limited to +- this; 0 = no limit
  QueryTemperature temperature;
  Activation activation = Activation::Silu;
  ExpertSpec experts;
  RecurrenceSpec recurrence;
  LatentSpec latent;
  Multipliers multipliers;
  AltUpSpec altUp;
  std::int64_t laurelRank = 0;            // learned augmented residual layer (decoder_layer.h); 0 = none
  std::int64_t layerInput = 0;            // width of the per-layer input of each token; 0 = none
  std::int64_t layerInputVocabulary = 0;  // tokens beyond it have the per-layer embedding of token 0
  bool valueNorm = false;                 // RMS norm of the values of each head, without weights
  bool attentionGate = false;             // the output of attention is gated
  bool parallelBlock = false;  // attention and feed-forward part read the layer's input, with one norm or two
  bool attentionBias = false, outputBias = false, mlpBias = false;
  bool tiedEmbeddings = false;
  std::string positions = "rope";  // how attention knows positions: also alibi, learned, none, ...
  std::vector<RopeSpec> ropes;     // one, or one per layer type with full attention first; never empty
  JsonValue statedRope;            // RoPE settings as another engine states them; null: those of `ropes`
  std::vector<LayerSpec> layers;   // [layerCount]
  JsonValue config;                // as read (GGUF: metadata without arrays)

  const RopeSpec& rope() const { return ropes.front(); }
  // Numbers of a token between layers.
  std::int64_t stateWidth() const { return altUp.streams > 0 ? altUp.streams * hidden : hidden; }
  const LayerSpec& layer(std::int64_t number) const { return layers.at(static_cast<std::size_t>(number)); }
  // Query heads that share a key head.
  std::int64_t groupSize(std::int64_t number) const { return queryHeads / layer(number).keyHeads; }
  // The last layer up to `last` that uses keys and values of layer `number`; -1: none.
  std::int64_t lastUserOfKeys(std::int64_t number, std::int64_t last) const;
};

// One object, or one per layer type; {} without RoPE.
Json ropeJson(const ModelSpec& spec);
// The settings for full attention from the result of ropeJson.
Json mainRope(const Json& ropeJson);

// ---- The query temperature in a model's configuration.

// For layers whose queries carry a temperature. config: config.json or GGUF metadata; rope: settings for full
// attention. Ministral 3 has llama_4_scaling_beta; Llama 4 has attn_scale and floor_scale, or their defaults.
QueryTemperature statedTemperature(const Json& config, const Json& rope);

}  // namespace plastiscope
