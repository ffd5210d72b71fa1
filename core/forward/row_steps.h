#pragma once
// The steps between the matrix products of a layer, each in one pass over its rows: norms, the gate of the
// feed-forward part, and what happens to a head before its dot products. For a CPU, on one thread; numbers in
// memory are float32 or bfloat16 and float32 in between. The same bits for any register width: sums have one
// shape, and there is no fused multiply-add. `registerWidth`: as in register_width.h; 0 = the processor's.
#include <cstddef>

namespace plastiscope {

enum class NumberType { Float32, Bfloat16 };

// Vectors of neighbouring numbers, `heads` of them in a row; steps in numbers.
struct StridedVectors {
  void* data = nullptr;
  std::ptrdiff_t rowStep = 0, headStep = 0;
};

struct VectorCount {
  std::ptrdiff_t rows = 0, heads = 1, size = 0;
  NumberType type = NumberType::Float32;
};

// x / sqrt(mean(x^2) + eps), of x less its mean when that is subtracted, times weights, plus biases.
struct VectorNorm {
  double eps = 0;
  bool subtractMean = false;
  bool roundFirst = false;                         // to the type in memory, before the weights multiply
  const float *weight = nullptr, *bias = nullptr;  // nullptr: ones, zeros
  std::ptrdiff_t headStep = 0;                     // of both, from one head's to the next one's
};

// x += scale * added when there is something to add, in place, rounded; then its norm to `out`.
struct NormStep {
  VectorCount count;
  StridedVectors x, added, out;  // `added` and `out` may be absent
  float scale = 1;
  VectorNorm norm;
};
void runStep(const NormStep& step, int registerWidth = 0);

enum class GateKind { Silu, GeluTanh };

// gate = act(gate) * up, in place. exp is within 2 units in the last place of float32.
struct GateStep {
  VectorCount count;  // one head
  StridedVectors gate, up;
  GateKind kind = GateKind::Silu;
};
void runStep(const GateStep& step, int registerWidth = 0);

// A head's way to its dot products: norm, rotation (rope.h), norm, factor; each but the copy may be absent.
struct HeadStep {
  VectorCount count;
  StridedVectors in, out;
  StridedVectors before;  // gets what is rotated
  const VectorNorm *normBefore = nullptr, *normAfter = nullptr;
  const float *cos = nullptr, *sin = nullptr;  // [rows, half]
  std::ptrdiff_t half = 0;                     // pairs that turn; the rest of the head stays
  bool interleaved = false;
  const float* factor = nullptr;  // [rows]
};
void runStep(const HeadStep& step, int registerWidth = 0);

}  // namespace plastiscope
