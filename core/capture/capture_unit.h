#pragma once
// The work of one example: the rows of every captured head in all layers, as they will be stored.
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/capture/capture_plan.h"
#include "core/forward/forward.h"
#include "core/model/model_spec.h"

namespace plastiscope {

// The heads of one layer, kind and point whose rows lie together. With the points "post-rope" and "pre-rope"
// a layer has the blocks query, key; with "both" also their vectors before RoPE, as blocks of their own.
struct UnitBlock {
  std::int64_t layer = 0;
  QueryOrKey kind = QueryOrKey::Query;
  CapturePoint point = CapturePoint::PostRope;  // where its vectors are taken
  bool preRopeTwin = false;                     // the second block of that kind
  std::vector<std::int64_t> heads;              // ascending; key blocks: KV heads
};

// Everything that is the same in all units of a capture, in the order in which units store it: layers
// ascending, query, key, query before RoPE, key before RoPE.
struct UnitLayout {
  std::vector<UnitBlock> blocks;
  std::int64_t headDim = 0;
  bool half = true;  // store float16 where it does not overflow
};

UnitLayout unitLayout(const CapturePlan& plan, const ModelSpec& spec);

// The rows of one head. float16 unless some value's rounding would be infinite; then float32 for this
// example.
struct UnitHead {
  bool half = true;
  std::vector<std::byte> bytes;  // [rows, head_dim], little endian
};

struct UnitRows {
  std::vector<std::int32_t> positions, buckets;  // [rows], positions ascending
  std::vector<UnitHead> heads;                   // as in the layout's block
};

struct CaptureUnit {
  std::int64_t example = 0;      // running number
  std::vector<UnitRows> blocks;  // as in the layout
};

// Mean bytes of a unit of an example of that many tokens.
double expectedUnitBytes(const CapturePlan& plan, const UnitLayout& layout, std::int64_t tokens);

}  // namespace plastiscope
