#pragma once
// What a piece of the forward pass costs, in closed form (performance.md, sections 1 and 3).
#include <cstdint>

#include "core/model/model_spec.h"

namespace plastiscope {

// Floating point operations of the positions [first, first + rows) in one layer. `operandsOnly`: queries and
// keys alone.
double layerFlops(const ModelSpec& spec, std::int64_t layer, std::int64_t first, std::int64_t rows,
                  bool operandsOnly);

// options.queryChunk as it is used: whole attention tiles.
std::int64_t chunkRows(std::int64_t wanted);

}  // namespace plastiscope
