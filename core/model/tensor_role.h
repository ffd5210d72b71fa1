#pragma once
// The parts that a tensor can play in a decoder layer. A step of the layer is there when its tensor is.
#include <string_view>

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
  RouterCorrection,  // [experts] added to the scores for the choice only
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
};
std::string_view nameOf(TensorRole role);  // "input_norm"

}  // namespace plastiscope
