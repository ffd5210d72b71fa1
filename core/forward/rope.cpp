#include "core/forward/rope.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/mul.h>

namespace plastiscope {

namespace {

// The two numbers of every rotated pair, as two views [rows, heads, half].
struct Pairs {
  at::Tensor first, second;
};

Pairs pairsOf(const at::Tensor& vectors, std::int64_t half, bool interleaved) {
  if (interleaved) return {vectors.slice(2, 0, 2 * half, 2), vectors.slice(2, 1, 2 * half, 2)};
  return {vectors.narrow(2, 0, half), vectors.narrow(2, half, half)};
}

}  // namespace

RopeRows ropeRows(const at::Tensor& inverse, double attentionFactor, std::int64_t firstPosition,
                  std::int64_t rows, const Compute& compute) {
  const at::Tensor positions =
      at::arange(firstPosition, firstPosition + rows, inverse.options().dtype(at::kLong)).to(at::kFloat);
  const at::Tensor angles = positions.unsqueeze(1).mul(inverse);  // [rows, half]
  return {angles.cos().mul_(attentionFactor).to(compute.dtype).unsqueeze(1),
          angles.sin().mul_(attentionFactor).to(compute.dtype).unsqueeze(1)};
}

void applyRope(const at::Tensor& vectors, const RopeRows& rows, bool interleaved, const at::Tensor& out) {
  const std::int64_t half = rows.cos.size(2);
  const Pairs in = pairsOf(vectors, half, interleaved);
  const Pairs turned = pairsOf(out, half, interleaved);
  at::Tensor first = turned.first, second = turned.second;
  at::mul_out(first, in.first, rows.cos).sub_(in.second.mul(rows.sin));
  at::mul_out(second, in.second, rows.cos).add_(in.first.mul(rows.sin));
  const std::int64_t rest = vectors.size(2) - 2 * half;
  if (rest > 0) out.narrow(2, 2 * half, rest).copy_(vectors.narrow(2, 2 * half, rest));
}

}  // namespace plastiscope
