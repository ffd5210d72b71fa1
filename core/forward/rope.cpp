#include "core/forward/rope.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/pow.h>
#include <ATen/ops/rsub.h>
#include <ATen/ops/scalar_tensor.h>
#include <ATen/ops/where.h>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "core/base/error.h"
#include "core/model/rope_kinds.h"

namespace plastiscope {

namespace {

// Both numbers of every rotated pair, as views [rows, heads, half].
struct Pairs {
  at::Tensor first, second;
};

Pairs pairsOf(const at::Tensor& vectors, std::int64_t half, bool interleaved) {
  if (interleaved) return {vectors.slice(2, 0, 2 * half, 2), vectors.slice(2, 1, 2 * half, 2)};
  return {vectors.narrow(2, 0, half), vectors.narrow(2, half, half)};
}

}  // namespace

RopeRows ropeRows(const at::Tensor& inverse, double attentionFactor, const at::Tensor& positions,
                  const Compute& compute) {
  const at::Tensor angles = positions.to(at::kFloat).unsqueeze(1).mul(inverse);  // [rows, half]
  return {angles.cos().mul_(attentionFactor).to(compute.dtype).unsqueeze(1),
          angles.sin().mul_(attentionFactor).to(compute.dtype).unsqueeze(1)};
}

void applyRope(const at::Tensor& vectors, const RopeRows& rows, bool interleaved, const at::Tensor& out) {
  const std::int64_t half = rows.cos.size(2);
  const Pairs in = pairsOf(vectors, half, interleaved);
  const Pairs rotated = pairsOf(out, half, interleaved);
  at::Tensor first = rotated.first, second = rotated.second;
  at::mul_out(first, in.first, rows.cos).sub_(in.second.mul(rows.sin));
  at::mul_out(second, in.second, rows.cos).add_(in.first.mul(rows.sin));
  const std::int64_t rest = vectors.size(2) - 2 * half;
  if (rest > 0) out.narrow(2, 2 * half, rest).copy_(vectors.narrow(2, 2 * half, rest));
}

namespace {

std::int64_t originalContext(const RopeSpec& rope) {
  return rope.originalContext > 0 ? rope.originalContext : rope.maxPositions;
}

// 2i / rotaryDim for i in [0, rotaryDim / 2).
at::Tensor exponents(const RopeSpec& rope) {
  return at::arange(0, rope.rotaryDim, 2, at::kFloat).div(rope.rotaryDim);
}

at::Tensor periods(const RopeSpec& rope) {
  return at::pow(at::Scalar(rope.theta), exponents(rope));
}

at::Tensor floats(const std::vector<double>& values) {
  at::Tensor out = at::empty({std::ssize(values)}, at::kFloat);
  std::transform(values.begin(), values.end(), out.data_ptr<float>(),
                 [](double x) { return static_cast<float>(x); });
  return out;
}

RopeFrequencies defaultRope(const RopeSpec& rope, std::int64_t) {
  return {periods(rope).reciprocal(), 1};
}

// Position interpolation (Chen et al. 2023).
RopeFrequencies linearRope(const RopeSpec& rope, std::int64_t) {
  return {periods(rope).reciprocal().div_(rope.factor), 1};
}

// NTK-aware change of the base for examples longer than the trained length.
RopeFrequencies dynamicRope(const RopeSpec& rope, std::int64_t tokens) {
  if (tokens <= rope.maxPositions) return defaultRope(rope, tokens);
  const double power = static_cast<double>(rope.rotaryDim) / static_cast<double>(rope.rotaryDim - 2);
  // A tensor, because the length is a tensor in the reference implementation.
  const at::Tensor length = at::scalar_tensor(tokens, at::kLong);
  const at::Tensor stretch = length.mul(rope.factor).div(rope.maxPositions).sub(rope.factor - 1);
  const at::Tensor base = at::pow(stretch, power).mul(rope.theta);
  return {at::pow(base, exponents(rope)).reciprocal(), 1};
}

// Llama 3.1: low frequencies divided by the factor, high ones kept, interpolation in between.
RopeFrequencies llama3Rope(const RopeSpec& rope, std::int64_t) {
  const double context = static_cast<double>(originalContext(rope));
  const double longWave = context / rope.lowFreqFactor;
  const double shortWave = context / rope.highFreqFactor;
  const at::Tensor inverse = periods(rope).reciprocal();
  const at::Tensor wave = inverse.reciprocal().mul(2 * std::numbers::pi);
  const at::Tensor slowed = at::where(wave.gt(longWave), inverse.div(rope.factor), inverse);
  const at::Tensor smooth =
      wave.reciprocal().mul(context).sub(rope.lowFreqFactor).div(rope.highFreqFactor - rope.lowFreqFactor);
  const at::Tensor blended = at::rsub(smooth, 1).mul(slowed).div(rope.factor).add(smooth.mul(slowed));
  const at::Tensor between = wave.ge(shortWave).logical_and(wave.le(longWave));
  return {at::where(between, blended, slowed), 1};
}

// YaRN's factor of cos and sin (Peng et al. 2023, equation 22), with a weight for the logarithm.
double yarnMagnitude(double factor, double weight) {
  return factor <= 1 ? 1.0 : 0.1 * weight * std::log(factor) + 1.0;
}

double yarnAttentionFactor(const RopeSpec& rope) {
  if (rope.attentionFactor) return *rope.attentionFactor;
  if (rope.mscale.value_or(0) != 0 && rope.mscaleAllDim.value_or(0) != 0) {
    return yarnMagnitude(rope.factor, *rope.mscale) / yarnMagnitude(rope.factor, *rope.mscaleAllDim);
  }
  return yarnMagnitude(rope.factor, 1);
}

// The dimension (fractional) that makes `rotations` rotations within the original context.
double yarnDimension(const RopeSpec& rope, double rotations) {
  const double context = static_cast<double>(originalContext(rope));
  return (static_cast<double>(rope.rotaryDim) * std::log(context / (rotations * 2 * std::numbers::pi))) /
         (2 * std::log(rope.theta));
}

RopeFrequencies yarnRope(const RopeSpec& rope, std::int64_t) {
  double low = yarnDimension(rope, rope.betaFast);
  double high = yarnDimension(rope, rope.betaSlow);
  if (rope.truncate) {
    low = std::floor(low);
    high = std::ceil(high);
  }
  low = std::max(low, 0.0);
  high = std::min(high, static_cast<double>(rope.rotaryDim - 1));
  if (low == high) high += 0.001;  // avoids division by zero
  const at::Tensor wave = periods(rope);
  const at::Tensor kept = wave.reciprocal();
  const at::Tensor slowed = wave.mul(rope.factor).reciprocal();
  const at::Tensor ramp = at::arange(rope.rotaryDim / 2, at::kFloat).sub(low).div(high - low).clamp(0, 1);
  const at::Tensor keep = at::rsub(ramp, 1);
  return {slowed.mul(at::rsub(keep, 1)).add(kept.mul(keep)), yarnAttentionFactor(rope)};
}

// LongRoPE (Ding et al. 2024): one of two lists of factors, by the length of the whole example.
RopeFrequencies longRope(const RopeSpec& rope, std::int64_t tokens) {
  const std::int64_t context = originalContext(rope);
  const at::Tensor factors = floats(tokens > context ? rope.longFactor : rope.shortFactor);
  double magnitude = 1;
  if (rope.attentionFactor) {
    magnitude = *rope.attentionFactor;
  } else if (rope.factor > 1) {
    magnitude = std::sqrt(1 + std::log(rope.factor) / std::log(static_cast<double>(context)));
  }
  return {factors.mul(periods(rope)).reciprocal(), magnitude};
}

// Gemma 4: the first pairs rotate with the frequencies of the whole head, the others not at all.
RopeFrequencies proportionalRope(const RopeSpec& rope, std::int64_t) {
  at::Tensor inverse = periods(rope).reciprocal().div_(rope.factor);
  const std::int64_t rotated = rotatedPairs(rope);
  inverse.narrow(0, rotated, inverse.size(0) - rotated).zero_();
  return {inverse, 1};
}

}  // namespace

const std::array<RopeScaling, 7> kRopeScalings = {{
    {"default", defaultRope},
    {"linear", linearRope},
    {"dynamic", dynamicRope},
    {"llama3", llama3Rope},
    {"yarn", yarnRope},
    {"longrope", longRope},
    {"proportional", proportionalRope},
}};

RopeFrequencies ropeFrequencies(const RopeSpec& rope, std::int64_t tokens) {
  for (const auto& kind : kRopeScalings) {
    if (kind.name != rope.kind) continue;
    RopeFrequencies frequencies = kind.compute(rope, tokens);
    if (!rope.frequencyFactors.empty()) {
      const std::vector<double> factors(rope.frequencyFactors.begin(), rope.frequencyFactors.end());
      frequencies.inverse = frequencies.inverse.div(floats(factors));
    }
    return frequencies;
  }
  std::string known;
  for (const auto& kind : kRopeScalings) known += (known.empty() ? "" : ", ") + std::string(kind.name);
  throw InputError("unknown RoPE kind \"" + rope.kind + "\"; known: " + known);
}

}  // namespace plastiscope
