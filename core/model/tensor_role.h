#pragma once
// Roles of tensors in a decoder layer. A step of the layer runs if its tensor exists.
namespace plastiscope {

enum class TensorRole {
  // Norms, in order of computation.
  InputNorm,
  InputNormBias,
  QueryNorm,  // [head_dim], [heads, head_dim], or over all heads [heads * head_dim]
  KeyNorm,
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
  Output,
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
  // Outside the layers.
  LayerInputEmbedding,       // [vocabulary, layers * layer_input]
  LayerInputProjection,      // [layers * layer_input, hidden] applied to the token's embedding
  LayerInputProjectionNorm,  // [layer_input] on its result
};

}  // namespace plastiscope
