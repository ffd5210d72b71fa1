#pragma once
// A model opened for capture: spec, weights, and the tensor for each role.
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/model/model_spec.h"
#include "core/weights/tensor_source.h"

namespace plastiscope {

// ---- Roles of tensors in a decoder layer. A step of the layer runs if its tensor exists.

enum class TensorRole {
  // Norms, in order of computation.
  InputNorm,
  InputNormBias,
  QueryNorm,  // [head_dim], [heads, head_dim], or over all heads [heads * head_dim]
  KeyNorm,
  QueryNormBias,
  KeyNormBias,
  AttentionOutputNorm,  // before adding the attention output to the residual stream
  MlpNorm,              // before the feed-forward part
  MlpNormBias,
  MlpOutputNorm,
  DenseOutputNorm,  // of a dense part beside experts with their own norms
  ExpertNorm,
  ExpertOutputNorm,
  // Attention. QueryKeyValue: rows of all three in one tensor.
  Query,
  QueryGate,  // per head head_dim rows of the query, then head_dim rows of its output gate
  Key,
  Value,
  QueryKeyValue,
  QueryKeyValueBias,
  Output,
  // Latent attention: Query is applied to the layer's input, QueryUp to the normed output of QueryDown.
  QueryDown,      // [query_rank, hidden]
  QueryDownNorm,  // [query_rank]
  QueryUp,        // [heads * head_dim, query_rank]
  LatentDown,     // [rank + rope_dim, hidden]: the latent vector, then the rotated part of all keys
  LatentNorm,     // [rank]
  LatentUp,       // [heads * (nope_dim + value_dim), rank]: per head key rows, then value rows
  LatentKeyUp,    // [heads, rank, nope_dim]
  LatentValueUp,  // [heads, value_dim, rank]
  QueryBias,
  KeyBias,
  ValueBias,
  OutputBias,
  Sinks,  // [query_heads] additional score in each softmax
  // Recurrence (ModelSpec::recurrence); families split its input projection differently.
  StateInput,         // rows of gate, values, keys, queries and steps
  StateGate,          // gate
  StateOperands,      // queries, keys and values
  StateOperandsGate,  // per key head: query, key, values of its heads, their gates
  StateStrengths,     // write strength of each head
  StateSteps,         // step of each head
  StateRates,         // per key head: strengths, then steps of its heads
  StateConvolution,   // [channels, kernel] causal, depthwise
  StateConvolutionBias,
  StateDecay,     // [heads] negative: log decay of the state per unit step
  StateDecayLog,  // [heads] logarithm of its negative
  StateStepBias,  // [heads]
  StateSkip,      // [heads] skip connection from values to output
  StateNorm,      // on the output: per head, or over all heads
  StateOutput,
  // Dense feed-forward part. GateUp: gate rows, then up rows in one tensor.
  Gate,
  Up,
  GateUp,
  Down,
  GateBias,
  UpBias,
  DownBias,
  XieluPositive,  // the four parameters of Apertus' activation
  XieluNegative,
  XieluBeta,
  XieluEps,
  // Experts: one tensor each (names with *), or one for all with experts as outermost dimension.
  Router,  // [experts, hidden]
  RouterBias,
  RouterCorrection,   // [experts] added to the scores when choosing experts
  RouterScale,        // [hidden] factor on the router's normed input, with 1/sqrt(hidden)
  RouterExpertScale,  // [experts] factor on the chosen scores
  ExpertGate,
  ExpertUp,
  ExpertGateUp,
  ExpertDown,
  ExpertGateBias,
  ExpertUpBias,
  ExpertGateUpBias,
  ExpertDownBias,
  SharedGate,  // shared expert
  SharedUp,
  SharedGateUp,
  SharedDown,
  SharedExpertGate,  // [1, hidden] gate of its output
  // Per-layer input of each token (ModelSpec::layerInput numbers).
  LayerInputGate,    // [layer_input, hidden]
  LayerInputOutput,  // [hidden, layer_input]
  LayerInputNorm,    // before adding it to the residual stream
  LayerScale,        // [1] on the residual stream after the layer
  // Alternating updates (ModelSpec::altUp).
  AltUpRouterNorm,   // [hidden]
  AltUpRouter,       // [streams, hidden]
  AltUpPrediction,   // [streams * streams, streams]
  AltUpCorrection,   // [streams, streams]
  AltUpOutputScale,  // [hidden] on the active stream, for the per-layer input
  // Learned augmented residual layer.
  LaurelDown,  // [rank, hidden]
  LaurelUp,    // [hidden, rank]
  LaurelNorm,  // [hidden] on its output
  // Outside the layers.
  AltUpProjection,           // [streams - 1, hidden, hidden] from a token's embedding to its other streams
  AltUpUnprojection,         // [streams - 1, hidden, hidden] from these to the final hidden state
  LayerInputEmbedding,       // [layer input's vocabulary, layers * layer_input]
  LayerInputProjection,      // [layers * layer_input, hidden] applied to the token's embedding
  LayerInputProjectionNorm,  // [layer_input] on its result
};

// Storage order of a tensor that is not row by row as [out, in].
enum class TensorLayout {
  Plain,
  Transposed,   // every matrix is stored [in, out]
  ByShape,      // Plain if the file's tensor has its shape, else Transposed; decided when binding
  Alternating,  // as Transposed, with alternating gate and up: columns of matrices, entries of biases
  ByHead,       // per head its rows of the query, the key and the value
};

// A number of rows of a tensor (0: all remaining) and the factor on them.
struct RowScale {
  std::int64_t rows = 0;
  double factor = 1;
};

// A tensor of the file bound to a role, with the conversions to apply when reading.
struct BoundTensor {
  TensorInfo info;  // of the first expert or head if each has its own tensor
  // > 0: the file has the rows of each of `permutedHeads` heads, or the last `permutedRows` of each, as
  // neighbouring pairs; reading restores the rotate-half order.
  std::int64_t permutedHeads = 0, permutedRows = 0;
  TensorLayout layout = TensorLayout::Plain;
  std::int64_t headDim = 0;           // ByHead
  float offset = 0;                   // added to every value
  std::vector<RowScale> scales;       // for consecutive rows
  std::vector<TensorInfo> perExpert;  // one tensor per expert or head, else empty
  std::vector<std::int64_t> shape;    // in the forward pass: [out, in]; with experts [experts, out, in]
  // Numbers per row: the last dimension of matrices, 1 for vectors.
  std::int64_t columns() const {
    const std::vector<std::int64_t>& sizes = shape.empty() ? info.shape : shape;
    return sizes.size() < 2 ? 1 : sizes.back();
  }
  // Whether its matrices are stored as [in, out].
  bool liesAcross() const { return layout != TensorLayout::Plain && shape.size() == 3; }
  // Rows that must be read together.
  std::int64_t rowsTogether() const {
    if (permutedHeads > 0) return info.shape.front() / permutedHeads;
    return liesAcross() ? shape[1] : 1;
  }
  bool isPlain() const {
    return permutedHeads == 0 && layout == TensorLayout::Plain && offset == 0 && scales.empty();
  }
};

struct Model {
  ModelSpec spec;
  std::shared_ptr<const TensorSource> weights;     // null where another engine reads them
  std::filesystem::path path;                      // folder or .gguf file
  std::string root;                                // prefix of tensors outside the layers: "model."
  BoundTensor embedding;                           // [vocabulary, hidden]
  std::map<TensorRole, BoundTensor> besideLayers;  // other tensors outside the layers
  std::vector<std::map<TensorRole, BoundTensor>> layers;
  std::string fingerprint;  // SHA-256 of configuration and tensor directory
  std::string weightTypes;  // "BF16" or "Q4_1 (F32, Q6_K)": by share of bytes
  std::uint64_t weightBytes = 0;
  std::int64_t parameters = 0;        // elements of all tensors
  JsonValue engine;                   // null: native; else name, versions, and the reason for its choice
  std::vector<std::string> warnings;  // conflicts between weights and configuration
  std::vector<std::string> notes;     // e.g. "q and k rows restored from GGUF order", ignored tensors

  // Reads a whole tensor as float32 in the order of BoundTensor::shape, with all conversions applied.
  // out.size() must be the number of elements.
  void read(const BoundTensor& tensor, std::span<float> out) const;
  // The same for the rows from `firstRow` on (counted over all matrices) that fit into `out`: multiples of
  // rowsTogether().
  void readRows(const BoundTensor& tensor, std::int64_t firstRow, std::span<float> out) const;
  // Reads columns of one matrix of a tensor that liesAcross() and has neither offset nor scales: from
  // `firstColumn` on, one after another, as many as fit into `out`.
  void readColumns(const BoundTensor& tensor, std::int64_t matrix, std::int64_t firstColumn,
                   std::span<float> out) const;
  // The row of one token in the embedding.
  void readEmbeddingRow(std::int64_t token, std::span<float> out) const;
};

// Reads the configuration only (for cards and estimates) of a folder with config.json or a GGUF file.
// InputError: missing, damaged, unknown architecture, RoPE kind or quantisation (lists the known names).
ModelSpec readModelSpec(const std::filesystem::path& path);

// Opens the model; reports all missing, unused or mis-shaped tensors of its layers together. `ropeOverride`
// (JSON object or null) replaces RoPE settings and is validated in the same way. `followLinks`: also links of
// other users.
std::shared_ptr<const Model> openModel(const std::filesystem::path& path, const JsonValue& ropeOverride = {},
                                       bool followLinks = false);

// "Q4_1 (F32, Q6_K)": types by share of bytes.
std::string typesText(const TensorSource& weights);

// Reads all tensors of the decoder and, with `output`, those that losses need. InputError names the first
// with a value that is not finite.
void refuseWeightsNotFinite(const Model& model, bool output);

// Facts that config.json states for models of any family.
struct FolderFacts {
  std::filesystem::path folder;
  std::string name, modelType;
  bool known = false;  // a family of this program
  JsonValue config;
};
// `path`: a model folder or a file in it. Nothing for GGUF files, or if config.json cannot be read or states
// no model_type.
std::optional<FolderFacts> readFolderFacts(const std::filesystem::path& path);

// Returns an existing path unchanged; otherwise looks up the name of a cached model (discovery.h). InputError
// lists similar names.
std::filesystem::path resolveModelPath(const std::string& nameOrPath);

// ---- Output head: final norm and vocabulary matrix. Needed only for captures with losses.

struct OutputHead {
  std::optional<BoundTensor> norm;        // [hidden]
  std::optional<BoundTensor> normBias;    // [hidden]
  BoundTensor matrix;                     // [vocabulary, hidden]; the embedding if tied
  std::optional<BoundTensor> matrixBias;  // [vocabulary]
};

// The output matrix in the weights, used or not; nullptr when there is none.
const TensorInfo* outputMatrixOf(const Model& model);

// InputError when a tensor is missing or has another shape (weights of a base model without head).
OutputHead outputHeadOf(const Model& model);

}  // namespace plastiscope
