#pragma once
// What a model is, as data: read from config.json or GGUF metadata, enough to build the forward pass.
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/json_value.h"

namespace plastiscope {

// Rotary position embedding, one kind of rope_kinds.h with its values.
struct RopeSpec {
  std::string kind = "default";  // default, linear, dynamic, llama3, yarn, longrope, proportional
  std::string layerType;         // the layers it belongs to: "full_attention", ...; "" = all
  double theta = 10000;
  std::int64_t rotaryDim = 0;     // first part of the head that is rotated; = head_dim unless partial
  bool interleaved = false;       // pairs (2i, 2i+1) instead of (i, i + rotaryDim/2)
  bool computeInFloat32 = false;  // rotated in float32, whatever the compute type
  double factor = 1;
  std::int64_t originalContext = 0;              // original_max_position_embeddings; 0 = not given
  std::int64_t maxPositions = 0;                 // max_position_embeddings
  double lowFreqFactor = 1, highFreqFactor = 4;  // llama3
  double betaFast = 32, betaSlow = 1;            // yarn
  bool truncate = true;                          // yarn
  std::optional<double> attentionFactor, mscale, mscaleAllDim;
  std::vector<double> shortFactor, longFactor;  // longrope [rotaryDim / 2]
  double turningShare = 1;              // proportional: of the pairs, the first ones; the others stand still
  std::vector<float> frequencyFactors;  // GGUF rope_freqs.weight: inverse frequencies are divided by these
  Json toJson() const;                  // only what the kind uses
};

enum class AttentionKind {
  Full,
  Sliding,  // the last `window` tokens
  Chunked,  // causal inside blocks of `window` tokens
  Cross,    // keys come from elsewhere: skipped in text, no vectors
  Linear,   // a recurrence in the place of attention: computed, no vectors
};
std::string_view nameOf(AttentionKind kind);           // "full", "sliding", "chunked", "cross", "linear"
std::string_view layerTypeNameOf(AttentionKind kind);  // as in `layer_types`: "full_attention", ...

struct LayerSpec {
  AttentionKind attention = AttentionKind::Full;
  std::int64_t window =
      0;  // sliding: tokens a query sees, itself included; chunked: size of a block; 0 = all
  bool rope = true;
  std::size_t ropeIndex = 0;  // which of ModelSpec::ropes rotates this layer
  bool queryScale = false;    // ModelSpec::temperature is part of the captured query
  bool experts = false;       // the feed-forward part is ModelSpec::experts
  bool recurrence = false;    // ModelSpec::recurrence runs, in the place of attention or beside it
  std::int64_t keyHeads = 0, headDim = 0, intermediate = 0;  // as in ModelSpec unless layers differ in them
  bool valuesAreKeys = false;     // there is no projection of values: they are the keys before norm and RoPE
  std::int64_t keysOfLayer = -1;  // attends to keys and values of this earlier layer; -1: to its own
  bool ownKeys() const { return keysOfLayer < 0; }
  bool hasVectors() const { return attention != AttentionKind::Cross && attention != AttentionKind::Linear; }
};

enum class Activation { Silu, GeluTanh, Gelu, ClampedSwiglu, Xielu };

// All norms of a model are of one kind; where they stand is told by the tensors.
struct NormSpec {
  double eps = 1e-5;
  bool subtractMean = false;      // the mean is subtracted first (LayerNorm); otherwise root mean square
  bool computeInFloat32 = false;  // weights are applied in float32, before rounding to the compute type
};

// Norms of queries and keys. With weights their shape tells whether heads are treated one by one.
struct QueryKeyNorm {
  bool present = false;  // for families in which a switch decides
  bool afterRope = false;
  bool weightless = false;  // root mean square of each head, only on layers with RoPE
};

// A factor on the query that grows with position: 1 + beta ln(1 + floor((position + offset) / length)).
struct QueryTemperature {
  double beta = 0;
  std::int64_t length = 1, offset = 0;
};

// How the experts of a token are chosen and weighted.
enum class RouterScore { Softmax, Sigmoid };
struct ExpertSpec {
  std::int64_t count = 0, used = 0;
  std::int64_t inner = 0;        // width of an expert
  std::int64_t sharedInner = 0;  // of the expert that all tokens pass; 0 = none
  RouterScore score = RouterScore::Softmax;
  bool besideDense = false;      // the dense part runs too, each on norms of its own; they are added
  bool routerInFloat32 = false;  // the router works in float32
  bool renormalise = false;      // the chosen scores are divided by their sum
  bool scaleInput = false;       // a score multiplies the expert's input, not its output
  double scale = 1;              // on the chosen scores
  std::int64_t groups = 1, usedGroups = 1;  // only experts of the best groups can be chosen
};

// A layer's tokens seen through a state [key_dim, value_dim] for each head, which every token changes to
// decay S + strength k u^T and reads as S^T q: Mamba 2 (Dao and Gu 2024), where u is the token's value and
// the strength its step, or the gated delta rule (Yang et al. 2024), where u is what the decayed state does
// not yet hold of the value under k.
struct RecurrenceSpec {
  bool deltaRule = false;  // and queries and keys have length 1 and 1/sqrt(key_dim), strengths are learned
  std::int64_t heads = 0, keyHeads = 0;  // consecutive heads share the query and the key of one key head,
  bool cyclicKeys = false;               // or every key_heads-th
  std::int64_t keyDim = 0, valueDim = 0;
  std::int64_t kernel = 0;  // tokens that the convolution of queries, keys and values sees
  bool convolutionBias = false;
  bool gateFirst = false;           // the output is gated, then normed; otherwise normed, then gated
  std::int64_t normedTogether = 0;  // numbers of the output that share a norm; 0 = there is none
  std::int64_t keyRows() const { return keyHeads * keyDim; }
  std::int64_t valueRows() const { return heads * valueDim; }
  std::int64_t channels() const { return 2 * keyRows() + valueRows(); }  // of the convolution
  std::int64_t rates() const { return (deltaRule ? 2 : 1) * heads; }     // strengths and steps
  std::int64_t inputRows() const { return valueRows() + channels() + rates(); }
};

// Factors on what matrices of a layer get or give. GGUF files hold the matrices multiplied by them.
struct Multipliers {
  double attentionIn = 1, key = 1, attentionOut = 1;
  double recurrenceIn = 1, recurrenceOut = 1;
  std::array<double, 5> recurrence = {1, 1, 1, 1, 1};  // on the gate, values, keys, queries and steps
  double mlpGate = 1, mlpOut = 1;
};

struct ModelSpec {
  std::string name;          // general.name, _name_or_path or the folder's name
  std::string architecture;  // "llama"
  std::int64_t layerCount = 0, hidden = 0, intermediate = 0, vocabulary = 0;
  std::int64_t queryHeads = 0, keyHeads = 0, headDim = 0;
  std::int64_t contextLength = 0;
  double scoreScale = 0;    // 1/sqrt(head_dim) unless the model has its own
  double scoreSoftcap = 0;  // scores s become cap tanh(s / cap); 0 = they do not
  double embeddingScale = 1, residualScale = 1;
  double logitScale = 1, logitSoftcap = 0;  // on the scores of the vocabulary; caps as scoreSoftcap
  NormSpec norm;
  QueryKeyNorm queryKeyNorm;
  QueryTemperature temperature;
  Activation activation = Activation::Silu;
  ExpertSpec experts;
  RecurrenceSpec recurrence;
  Multipliers multipliers;
  std::int64_t layerInput = 0;  // width of what every layer gets of each token beside the stream; 0 = nothing
  bool valueNorm = false;       // values are divided by their root mean square, head by head
  bool attentionGate = false;   // the output of attention is gated
  bool parallelBlock = false;   // attention and feed-forward part read the same normed stream
  bool attentionBias = false, outputBias = false, mlpBias = false;
  bool tiedEmbeddings = false;
  std::vector<RopeSpec> ropes;    // one, or one a layer type with that of full attention first; never empty
  std::vector<LayerSpec> layers;  // [layerCount]
  JsonValue config;               // as read (GGUF: metadata without arrays)

  const RopeSpec& rope() const { return ropes.front(); }
  const LayerSpec& layer(std::int64_t number) const { return layers.at(static_cast<std::size_t>(number)); }
  // Query heads that share a key head.
  std::int64_t groupSize(std::int64_t number) const { return queryHeads / layer(number).keyHeads; }
  // The last layer up to `last` that attends to keys and values of `number`; -1: none does.
  std::int64_t lastUserOfKeys(std::int64_t number, std::int64_t last) const;
};

// One object, or one a layer type.
Json ropeJson(const std::vector<RopeSpec>& ropes);
// The settings of the layers with full attention in what ropeJson wrote.
Json mainRope(const Json& ropeJson);

}  // namespace plastiscope
