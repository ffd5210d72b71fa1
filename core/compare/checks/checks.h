#pragma once
// The groups of checks of the printed numbers, by what they are about. To add one: its function here and in
// one of the files beside it, and its line in core/compare/reference_check.cpp.
#include "core/compare/reference_check.h"

namespace plastiscope {

using Checks = std::vector<ReferenceCheck>;

inline constexpr double kThirdDecimal = 0.0005 + 1e-9;  // half a unit of the last printed digit

// drops.cpp
void addDrops(Checks& checks);
// profile.cpp
void addQuintiles(Checks& checks);
void addRecoveries(Checks& checks);
void addDeclines(Checks& checks);
void addLengthBins(Checks& checks);
// bias.cpp
void addWindowBias(Checks& checks);
void addGrowth(Checks& checks);
void addPlaneRange(Checks& checks);
// components.cpp
void addComponents(Checks& checks);
void addClasses(Checks& checks);
void addHeads(Checks& checks);
// benchmarks.cpp
void addCorrelations(Checks& checks);
void addCheckpointCorrelations(Checks& checks);
void addLengthMean(Checks& checks);

}  // namespace plastiscope
