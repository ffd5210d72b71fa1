#pragma once
// Numbers side by side in registers, summed in one fixed order whatever the registers hold. Included by
// kernel sources alone.
#include "core/analysis/pair_kernels.h"
#include "core/analysis/wide_kernels.h"

namespace plastiscope {

// kLanes numbers in as many registers as the instruction set needs.
template <int Width>
struct Lanes {
  typedef double Vector [[gnu::vector_size(Width * sizeof(double))]];
  typedef double Unaligned [[gnu::vector_size(Width * sizeof(double)), gnu::aligned(8), gnu::may_alias]];
  static constexpr int kParts = static_cast<int>(kLanes) / Width;
  static const Unaligned& at(const double* place) { return *reinterpret_cast<const Unaligned*>(place); }
  static Unaligned& at(double* place) { return *reinterpret_cast<Unaligned*>(place); }
  Vector part[kParts] = {};

  PLASTISCOPE_INLINE double sum() const {
    double lane[kLanes];
    for (int i = 0; i < static_cast<int>(kLanes); ++i) lane[i] = part[i / Width][i % Width];
    return ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
  }
};

}  // namespace plastiscope
