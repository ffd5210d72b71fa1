#pragma once
// The inner loops over pairs of keys. The same bits on every processor: no fused multiply-add, fixed order of
// sums.
#include <cstddef>
#include <cstdint>
#include <span>

namespace plastiscope {

// Two keys by their rows.
struct KeyPair {
  std::int32_t first = 0, second = 0;
  bool operator==(const KeyPair&) const = default;
};

inline constexpr std::ptrdiff_t kLanes = 8;
// Row length that the kernels need: a multiple of kLanes; numbers past the end are zero.
constexpr std::ptrdiff_t paddedLength(std::ptrdiff_t length) {
  return (length + kLanes - 1) / kLanes * kLanes;
}

// |rows[first] - rows[second]|^2 of every pair; `stride` is a padded length.
void squaredDistances(const double* rows, std::ptrdiff_t stride, std::span<const KeyPair> pairs, double* out);

// For every pair, with delta = rows[first] - rows[second]: variance = sum of spread * delta^2, mean = sum of
// weight * delta. `spread` and `weight` have `stride` numbers.
void weightedDifferences(const double* rows, std::ptrdiff_t stride, std::span<const KeyPair> pairs,
                         const double* spread, const double* weight, double* variance, double* mean);

// What every key brings to its pairs: norm[i] = sum of spread * x^2 and score[i] = sum of weight * x for x =
// row which[i].
void keyTerms(const double* rows, std::ptrdiff_t stride, std::span<const std::int32_t> which,
              const double* spread, const double* weight, double* norm, double* score);

// products[p] = sum of spread * rows[first] * rows[next + p] for p < count. `scratch` has room for `stride`
// numbers.
void weightedProducts(const double* rows, std::ptrdiff_t stride, std::int32_t first, std::int32_t next,
                      std::ptrdiff_t count, const double* spread, double* scratch, double* products);

// PP = 4 Phi(z) Phi(-z) = erfc(z / sqrt 2) * erfc(-z / sqrt 2) with z = mean / sqrt(variance)
// (method.md 4.5), each to a relative error below 1e-15; 0 where it underflows (|z| > 37.6). Variances must
// be above 0.
void plasticityOfPairs(const double* mean, const double* variance, double* pp, std::size_t count);

// By how many of `length` numbers rows[first] exceeds rows[second], ties counted as one half.
void countPreferences(const double* rows, std::ptrdiff_t stride, std::ptrdiff_t length,
                      std::span<const KeyPair> pairs, double* out);

}  // namespace plastiscope
