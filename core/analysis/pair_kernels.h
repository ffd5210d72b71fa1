#pragma once
// Inner loops over pairs of keys, whose rows have a padded length. Processors differ as in row_kernels.h.
#include "core/analysis/row_kernels.h"

namespace plastiscope {

// Row indices of two keys.
struct KeyPair {
  std::int32_t first = 0, second = 0;
  bool operator==(const KeyPair&) const = default;
};

// Factors of the squares and of the values of coordinates, [columns] each.
struct CoordinateWeights {
  const double *spread, *weight;
};
// Outputs of sums over coordinates: one per pair or key.
struct WeightedSums {
  double *squares, *values;
};

// |rows[first] - rows[second]|^2 of every pair.
void squaredDistances(const RowBlock& rows, std::span<const KeyPair> pairs, double* out);

// For every pair, with delta = rows[first] - rows[second]: squares = sum of spread * delta^2, values = sum of
// weight * delta.
void weightedDifferences(const RowBlock& rows, std::span<const KeyPair> pairs,
                         const CoordinateWeights& weights, const WeightedSums& sums);

// Terms of every key for its pairs: squares[i] = sum of spread * x^2 and values[i] = sum of weight * x for x
// = row which[i].
void keyTerms(const RowBlock& rows, std::span<const std::int32_t> which, const CoordinateWeights& weights,
              const WeightedSums& sums);

// products[i, j] = first[i] . second[j], [first.count, second.count].
void blockProducts(const RowBlock& first, const RowBlock& second, double* products);
// products[p] = left . rows[second] of every pair.
void gatheredProducts(const double* left, const RowBlock& rows, std::span<const KeyPair> pairs,
                      double* products);

// PP = 4 Phi(z) Phi(-z) with z = mean / sqrt(variance) (method.md, Pair plasticity). Phi(-|z|) is accurate
// to 4 units in the last place for the rounded z, and 0 from |z| = 37.5 on. Variances must be normal numbers
// above 0; otherwise the result is undefined.
void plasticityOfPairs(const double* mean, const double* variance, double* pp, std::size_t count);

// The number of `length` values at which rows[first] exceeds rows[second], ties counted as one half.
void countPreferences(const RowBlock& rows, std::ptrdiff_t length, std::span<const KeyPair> pairs,
                      double* out);

// Rows in float32, for products of which only the sign is needed.
struct FloatBlock {
  const float* data = nullptr;
  std::ptrdiff_t columns = 0, count = 0;
  const float* row(std::ptrdiff_t i) const { return data + i * columns; }
};
inline constexpr std::ptrdiff_t kFloatColumns = 32;
// products[i, j] = sum over c of left[i, c] * right[c, j]; right.columns a multiple of kFloatColumns,
// products [left.count, right.columns].
void floatProducts(const FloatBlock& left, const FloatBlock& right, float* products);
// twice[p] += 2 if scores[p] is positive. Returns the smallest absolute score.
float addPreferences(const float* scores, std::size_t pairs, std::int32_t* twice);
// first[p] += weight c, inside[p] += square c (queries - c) with c = twice[p] / 2.
void addSides(const std::int32_t* twice, std::size_t pairs, double queries, double weight, double square,
              double* first, double* inside);

}  // namespace plastiscope
