#pragma once
// What the modes share that see q.(k_i - k_j) as a normal number: its PP, and when it has no spread to speak
// of.
#include <cmath>
#include <span>

#include "core/analysis/pair_models.h"
#include "core/analysis/statistics.h"

namespace plastiscope {

// A pair with v <= 1e-24 |delta|^2 q2 has no spread that rounding would not explain.
class DegenerateTest {
 public:
  DegenerateTest(const KeySides& keys, double meanSquare)
      : m_keys(keys), m_meanSquare(meanSquare), m_safe(1e-24 * 4 * keys.largestSquare * meanSquare) {}
  bool operator()(const KeyPair& pair, double variance) const {
    if (variance > m_safe && std::isfinite(variance)) return false;  // |delta|^2 <= 4 max |k|^2
    return !std::isfinite(variance) || !(variance > 1e-24 * squaredDistance(pair) * m_meanSquare);
  }
  bool sameKeys(const KeyPair& pair) const { return squaredDistance(pair) == 0; }

 private:
  double squaredDistance(const KeyPair& pair) const {
    // A reflection changes no distance, and equal keys stay equal.
    return (m_keys.reflected.row(pair.first) - m_keys.reflected.row(pair.second)).squaredNorm();
  }
  const KeySides& m_keys;
  double m_meanSquare, m_safe;
};

// Turns means and variances of q.(k_i - k_j) into PP.
class GaussianPairs {
 public:
  GaussianPairs(const KeySides& keys, double meanSquare) : m_degenerate(keys, meanSquare) {}
  void evaluate(std::span<const KeyPair> pairs, const double* mean, const double* variance,
                double* pp) const {
    plasticityOfPairs(mean, variance, pp, pairs.size());
    for (std::size_t p = 0; p < pairs.size(); ++p) {
      if (m_degenerate(pairs[p], variance[p])) pp[p] = kMissing;
    }
  }

 private:
  DegenerateTest m_degenerate;
};

}  // namespace plastiscope
