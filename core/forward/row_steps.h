#pragma once
// Steps between the matrix products of a layer, each in one pass over its rows: norms, gate of the
// feed-forward part, and per-head steps before attention. For one CPU thread; memory is float32 or bfloat16,
// arithmetic float32. Results are bitwise equal for every register width: sums have a fixed order, without
// fused multiply-add. `registerWidth`: as in register_width.h; 0 = the processor's.
#include <cstddef>

namespace plastiscope {

enum class NumberType { Float32, Bfloat16 };

// Vectors of contiguous numbers, `heads` per row; steps count numbers.
struct StridedVectors {
  void* data = nullptr;
  std::ptrdiff_t rowStep = 0, headStep = 0;
};

struct VectorCount {
  std::ptrdiff_t rows = 0, heads = 1, size = 0;
  NumberType type = NumberType::Float32;
};

// x / sqrt(mean(x^2) + eps), after subtracting the mean if set, times weights, plus biases.
struct VectorNorm {
  double eps = 0;
  bool subtractMean = false;
  bool roundFirst = false;                         // to the type in memory, before multiplying by weights
  const float *weight = nullptr, *bias = nullptr;  // nullptr: ones, zeros
  std::ptrdiff_t headStep = 0;                     // of weight and bias, between heads
};

// x += scale * added (if any), rounded, in place; then the norm of x to `out`.
struct NormStep {
  VectorCount count;
  StridedVectors x, added, out;  // `added` and `out` are optional
  float scale = 1;
  VectorNorm norm;
};
void runStep(const NormStep& step, int registerWidth = 0);

enum class GateKind { Silu, GeluTanh };

// gate = act(gate) * up, in place. exp has an error of less than 2 ulp in float32.
struct GateStep {
  VectorCount count;  // one head
  StridedVectors gate, up;
  GateKind kind = GateKind::Silu;
};
void runStep(const GateStep& step, int registerWidth = 0);

// Per-head steps before attention: norm, RoPE (rope.h), norm, factor; all optional except the copy.
struct HeadStep {
  VectorCount count;
  StridedVectors in, out;
  StridedVectors before;  // receives the input of RoPE
  const VectorNorm *normBefore = nullptr, *normAfter = nullptr;
  const float *cos = nullptr, *sin = nullptr;  // [rows, half]
  std::ptrdiff_t half = 0;                     // rotated pairs; the rest of the head is unchanged
  bool interleaved = false;
  const float* factor = nullptr;  // [rows]
};
void runStep(const HeadStep& step, int registerWidth = 0);

}  // namespace plastiscope
