#pragma once
// The parts that a tensor can play in a decoder layer. A step of the layer is there when its tensor is.
namespace plastiscope {

enum class TensorRole {
  // Norms, in the order in which a row meets them.
  InputNorm,
  InputNormBias,
  QueryNorm,  // [head_dim] for each head, [heads, head_dim], or all heads together [heads * head_dim]
  KeyNorm,
  AttentionOutputNorm,  // on what attention adds to the stream
  MlpNorm,              // before the feed-forward part
  MlpNormBias,
  MlpOutputNorm,
  DenseOutputNorm,  // of a dense part beside experts, which have norms of their own
  ExpertNorm,
  ExpertOutputNorm,
  // Attention. QueryKeyValue: the rows of the three below each other in one tensor.
  Query,
  QueryGate,  // per head head_dim rows of the query, then head_dim rows of a gate on the head's output
  Key,
  Value,
  QueryKeyValue,
  Output,
  QueryBias,
  KeyBias,
  ValueBias,
  OutputBias,
  Sinks,  // [query_heads] one more score in every softmax
  // A recurrence (ModelSpec::recurrence), by the tensors that families have for its input projection.
  StateInput,         // rows of the gate, values, keys, queries and steps below each other
  StateGate,          // of the gate
  StateOperands,      // of queries, keys and values
  StateOperandsGate,  // per key head: its query, its key, the values of its heads, their gates
  StateStrengths,     // of how strongly each head writes
  StateSteps,         // of how long a step is for each head
  StateRates,         // per key head: strengths, then steps of its heads
  StateConvolution,   // [channels, kernel] over the tokens before, each channel by itself
  StateConvolutionBias,
  StateDecay,     // [heads] negative: the logarithm of what a step of length 1 leaves of the state
  StateDecayLog,  // [heads] the logarithm of its negative
  StateStepBias,  // [heads]
  StateSkip,      // [heads] how much of the values passes by the state
  StateNorm,      // on the output: for each head, or for the numbers of all heads
  StateOutput,
  // Dense feed-forward part. GateUp: gate rows, then up rows in one tensor.
  Gate,
  Up,
  GateUp,
  Down,
  GateBias,
  UpBias,
  DownBias,
  XieluPositive,  // the four numbers of Apertus' activation
  XieluNegative,
  XieluBeta,
  XieluEps,
  // Experts: one tensor for each (names with *), or all in one, outermost.
  Router,  // [experts, hidden]
  RouterBias,
  RouterCorrection,   // [experts] added to the scores for the choice only
  RouterScale,        // [hidden] the router reads the normed rows times this and 1/sqrt(hidden)
  RouterExpertScale,  // [experts] on the chosen scores
  ExpertGate,
  ExpertUp,
  ExpertGateUp,
  ExpertDown,
  ExpertGateBias,
  ExpertUpBias,
  ExpertGateUpBias,
  ExpertDownBias,
  SharedGate,  // the expert that all tokens pass
  SharedUp,
  SharedGateUp,
  SharedDown,
  SharedExpertGate,  // [1, hidden] how much of it
  // What a layer gets of each token beside the stream (ModelSpec::layerInput numbers).
  LayerInputGate,    // [layer_input, hidden]
  LayerInputOutput,  // [hidden, layer_input]
  LayerInputNorm,    // on what it adds to the stream
  LayerScale,        // [1] on the stream behind the layer
  // Beside the layers.
  LayerInputEmbedding,       // [vocabulary, layers * layer_input]
  LayerInputProjection,      // [layers * layer_input, hidden] of the token's embedding
  LayerInputProjectionNorm,  // [layer_input] on what it gives
};

}  // namespace plastiscope
