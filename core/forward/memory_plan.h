#pragma once
// Cost of parts of the forward pass in closed form, and the chunk size; memory as in forward.h.
#include <array>
#include <cstdint>

#include "core/forward/layer_weights.h"

namespace plastiscope {

// Outputs needed from a layer. The last layer run before `lastLayer` needs only rows whose queries and keys
// are captured in `lastLayer`.
LayerUse layerUse(const ModelSpec& spec, std::int64_t layer, std::int64_t lastLayer);

// Share of a text's rows that are processed after keys and values in the layer before the last, and for
// queries and keys in the last one: the rows that are read, or all rows for short texts or if more than half
// are read, when processing single rows is not faster.
double readShare(const TextSize& text);

// Floating point operations for positions [first, first + rows) in one layer; `share` as above.
struct LayerPart {
  std::int64_t layer = 0, first = 0, rows = 0;
  LayerUse use = LayerUse::Whole;
  double share = 1;
};
double layerFlops(const ModelSpec& spec, const LayerPart& part);

// Chunk sizes tried on a GPU; the first that fits is used.
inline constexpr std::array<std::int64_t, 3> kGpuChunks = {32768, 8192, 2048};
// Effective options.queryChunk: a multiple of the attention tile.
std::int64_t chunkRows(const ForwardOptions& options, bool onGpu);

}  // namespace plastiscope
