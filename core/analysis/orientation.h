#pragma once
// The orientation step of older code (method.md 4.5, orientation = legacy).
#include <cstdint>
#include <span>

#include "core/analysis/bins.h"
#include "core/analysis/head_rows.h"

namespace plastiscope {

// +1 or -1 a coordinate: the sign of the mean over the capture's buckets of their mean keys; +1 for 0.
// `times`: how often each key counts; empty: once.
Vector legacySigns(const KindRows& keys, const BinGrid& captureBuckets,
                   std::span<const std::int32_t> times = {});

// Every row times the signs.
KindRows turned(const KindRows& rows, const Vector& signs);

}  // namespace plastiscope
