#pragma once
// Finds planes of queries and keys outside {a, b} and their rotation frequency with position (method.md,
// Complement planes).
#include <complex>
#include <cstdint>
#include <vector>

#include "core/analysis/head_rows.h"
#include "core/analysis/moments.h"
#include "core/analysis/statistics.h"

namespace plastiscope {

// Principal directions outside the plane {a, b}, descending variance, the largest coordinate of each
// positive. Empty for head_dim <= 2.
struct Complement {
  Matrix directions;                                     // [head_dim, head_dim - 2], unit columns
  Vector variances;                                      // activation^2
  Vector mean;                                           // of the pool
  double poolVariance = 0;                               // of the pool in all directions
  double noise() const { return 1e-12 * poolVariance; }  // below this a variance is within rounding
};
Complement complementOf(const Moments& pool, const Vector& a, const Vector& b);

// Orthonormal basis of everything perpendicular to the columns of `axes`: [d, d - axes.cols()].
Matrix perpendicularBasis(const Matrix& axes);

// The frequency at which the angle of the rows in a plane best follows position.
struct RotationFrequency {
  double omega = kMissing;  // rad / token, in (-pi, pi]
  double r2 = kMissing;     // (|Z| / rows)^2: 1 if every row's angle is omega * t + constant
};

// Searches the frequencies 2 pi k / M, M = 4 * (smallest power of two >= window). The transform of length M
// is computed as four of a quarter: one for each k modulo 4, over the positions times exp(-2 pi i r t / M).
class Periodogram {
 public:
  // `positions`: of all rows, each in [0, window).
  Periodogram(const std::vector<std::int64_t>& positions, std::int64_t window);
  // `x`, `y`: coordinates of the rows in the plane. Among equal peaks takes the lowest k.
  RotationFrequency strongest(const Vector& x, const Vector& y);
  static std::int64_t transformLength(std::int64_t window);  // M

 private:
  std::int64_t m_quarter;  // M / 4
  double m_rows;
  std::vector<std::int64_t> m_place;                        // distinct positions, ascending
  std::vector<std::size_t> m_placeOfRow;                    // [rows]
  std::vector<std::complex<double>> m_shift;                // exp(-2 pi i t / M) of each distinct position
  std::vector<std::complex<double>> m_signal, m_transform;  // [quarter]
};

struct PlaneResult {
  double varianceShare = kMissing;  // share of the complement's variance
  RotationFrequency rotation;       // missing if the second direction has no variance
};

// The first `wanted` planes of the complement. `search` has the positions of the queries, then the keys.
std::vector<PlaneResult> planesOf(const Complement& complement, const VectorRows& query,
                                  const VectorRows& key, std::int64_t wanted, Periodogram& search);

// Number of planes for the setting `planes`: all, a number, or auto, which allows 2^17 points of transforms
// per head, such as 8 planes at 4,096 tokens and none above 32,768.
std::int64_t wantedPlanes(const std::string& setting, std::int64_t window);

}  // namespace plastiscope
