#pragma once
// What a model is, as data: read from config.json or GGUF metadata, enough to build the forward pass.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/json_value.h"

namespace plastiscope {

// Rotary position embedding, one kind of rope_kinds.h with its values.
struct RopeSpec {
  std::string kind = "default";  // default, linear, dynamic, llama3, yarn, longrope
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
  bool routerInFloat32 = false;             // the router works in float32
  bool renormalise = false;                 // the chosen scores are divided by their sum
  bool scaleInput = false;                  // a score multiplies the expert's input, not its output
  double scale = 1;                         // on the chosen scores
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
  std::int64_t normedTogether = 0;  // numbers of the output that share a norm
  std::int64_t keyRows() const { return keyHeads * keyDim; }
  std::int64_t valueRows() const { return heads * valueDim; }
  std::int64_t channels() const { return 2 * keyRows() + valueRows(); }  // of the convolution
  std::int64_t rates() const { return (deltaRule ? 2 : 1) * heads; }     // strengths and steps
  std::int64_t inputRows() const { return valueRows() + channels() + rates(); }
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
  NormSpec norm;
  QueryKeyNorm queryKeyNorm;
  QueryTemperature temperature;
  Activation activation = Activation::Silu;
  ExpertSpec experts;
  RecurrenceSpec recurrence;
  bool attentionGate = false;  // the output of attention is gated
  bool parallelBlock = false;  // attention and feed-forward part read the same normed stream
  bool attentionBias = false, outputBias = false, mlpBias = false;
  bool tiedEmbeddings = false;
  bool hasPredictionLayers = false;  // the file holds layers beyond the last one, which are not run
  std::vector<RopeSpec> ropes;    // one, or one a layer type with that of full attention first; never empty
  std::vector<LayerSpec> layers;  // [layerCount]
  JsonValue config;               // as read (GGUF: metadata without arrays)

  const RopeSpec& rope() const { return ropes.front(); }
  std::int64_t groupSize() const { return queryHeads / keyHeads; }
};

// One object, or one a layer type.
Json ropeJson(const std::vector<RopeSpec>& ropes);
// The settings of the layers with full attention in what ropeJson wrote.
Json mainRope(const Json& ropeJson);

}  // namespace plastiscope
