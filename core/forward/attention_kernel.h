#pragma once
// CPU kernels for causal attention: one body (attention_tile.h) compiled for several instruction sets; the
// best is chosen at run time. Independent of libtorch.
#include <cstddef>
#include <cstdint>
#include <span>

namespace plastiscope {

enum class AttentionNumbers { Float32, BFloat16 };

// Attention for ascending positions and the query heads of one key head. Steps count numbers.
struct AttentionTask {
  const void* query = nullptr;              // at the first position, [rows, group, width]
  const void* keys = nullptr;               // [last position + 1 or more, width], also the values
  const void* values = nullptr;             //
  void* out = nullptr;                      // at the first position, [rows, group, width]
  const float* sinks = nullptr;             // [group] or nullptr
  const std::int32_t* positions = nullptr;  // [rows], or nullptr: consecutive from `first`
  std::int64_t queryStep = 0, queryHeadStep = 0, keyStep = 0, valueStep = 0, outStep = 0;
  std::int64_t first = 0, rows = 0;
  std::int64_t group = 0, width = 0;
  float scale = 0, softcap = 0;  // as in AttentionRule
  std::int64_t window = 0;
  bool chunked = false;
};

// Called before every block of keys; returns false to stop.
struct AttentionWatch {
  bool (*goesOn)(void* context) = nullptr;
  void* context = nullptr;
};

// Returns false if stopped. `scratch`: attentionScratchBytes() bytes, aligned to 64.
using AttentionBody = bool (*)(const AttentionTask& task, std::byte* scratch, const AttentionWatch& watch);

struct AttentionKernel {
  const char* name;
  bool (*supported)();     // by processor and operating system
  AttentionBody float32;   // nullptr: not supported
  AttentionBody bfloat16;  //
  AttentionBody body(AttentionNumbers numbers) const {
    return numbers == AttentionNumbers::Float32 ? float32 : bfloat16;
  }
};

// From the fastest to the portable one.
std::span<const AttentionKernel> attentionKernels();
// The first that supports this processor and type.
const AttentionKernel& attentionKernel(AttentionNumbers numbers);

// Recommended positions per task, so that its data stay in a core's cache, and the scratch memory of a task
// in bytes.
std::int64_t attentionTaskRows(std::int64_t group, std::int64_t width);
std::size_t attentionScratchBytes(std::int64_t rows, std::int64_t group, std::int64_t width);

}  // namespace plastiscope
