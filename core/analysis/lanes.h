#pragma once
// The numbers that kernels of several register widths work on. They use element-wise operations and sums of
// fixed shape only, without fused multiply-add, so that all versions give the same bits. Included by kernel
// sources alone.
#include "core/analysis/row_kernels.h"
#include "core/base/register_width.h"

namespace plastiscope {

// kLanes numbers in as many registers as the instruction set needs, summed in one fixed order whatever the
// registers hold.
template <int Width>
struct Lanes {
  typedef double Vector [[gnu::vector_size(Width * sizeof(double))]];
  typedef double Unaligned [[gnu::vector_size(Width * sizeof(double)), gnu::aligned(8), gnu::may_alias]];
  static constexpr int kParts = static_cast<int>(kLanes) / Width;
  static const Unaligned& at(const double* place) { return *reinterpret_cast<const Unaligned*>(place); }
  static Unaligned& at(double* place) { return *reinterpret_cast<Unaligned*>(place); }
  Vector part[kParts] = {};

  [[gnu::always_inline]] inline double sum() const {
    double lane[kLanes];
    for (int i = 0; i < static_cast<int>(kLanes); ++i) lane[i] = part[i / Width][i % Width];
    return ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
  }
};

}  // namespace plastiscope
