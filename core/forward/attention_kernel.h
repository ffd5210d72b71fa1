#pragma once
// Causal attention on a CPU by vector code of our own: one body (attention_tile.h) compiled for several
// instruction sets, the best of which is chosen when the program runs. Nothing of libtorch in here.
#include <cstddef>
#include <cstdint>
#include <span>

namespace plastiscope {

enum class AttentionNumbers { Float32, BFloat16 };

// What some positions, in ascending order, see through the query heads that share one key head. Steps count
// numbers.
struct AttentionTask {
  const void* query = nullptr;              // of the first position, [rows, group, width]
  const void* keys = nullptr;               // [last position + 1 or more, width], as are the values
  const void* values = nullptr;             //
  void* out = nullptr;                      // of the first position, [rows, group, width]
  const float* sinks = nullptr;             // [group], or nothing
  const std::int32_t* positions = nullptr;  // [rows], or nothing: neighbours from `first` on
  std::int64_t queryStep = 0, queryHeadStep = 0, keyStep = 0, valueStep = 0, outStep = 0;
  std::int64_t first = 0, rows = 0;
  std::int64_t group = 0, width = 0;
  float scale = 0, softcap = 0;  // as in AttentionRule
  std::int64_t window = 0;
  bool chunked = false;
};

// Asked before every block of keys whether to go on.
struct AttentionWatch {
  bool (*goesOn)(void* context) = nullptr;
  void* context = nullptr;
};

// False when it was stopped. `scratch` has attentionScratchBytes() and begins at a multiple of 64.
using AttentionBody = bool (*)(const AttentionTask& task, std::byte* scratch, const AttentionWatch& watch);

struct AttentionKernel {
  const char* name;
  bool (*supported)();     // by this processor and its system
  AttentionBody float32;   // nullptr: not of this kernel
  AttentionBody bfloat16;  //
  AttentionBody body(AttentionNumbers numbers) const {
    return numbers == AttentionNumbers::Float32 ? float32 : bfloat16;
  }
};

// From the fastest to the one that runs everywhere.
std::span<const AttentionKernel> attentionKernels();
// The first that this processor supports for such numbers.
const AttentionKernel& attentionKernel(AttentionNumbers numbers);

// Positions that one task should have, so that what it keeps stays in a core's cache, and the memory that a
// task of so many positions works in.
std::int64_t attentionTaskRows(std::int64_t group, std::int64_t width);
std::size_t attentionScratchBytes(std::int64_t rows, std::int64_t group, std::int64_t width);

}  // namespace plastiscope
