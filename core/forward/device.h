#pragma once
// Where and in which type the forward pass computes.
#include <c10/core/Device.h>
#include <c10/core/ScalarType.h>

#include <cstdint>
#include <optional>

#include "core/forward/forward.h"

namespace plastiscope {

struct Compute {
  c10::Device device{c10::kCPU};
  c10::ScalarType dtype = c10::kFloat;
};

Compute computeOf(const ResolvedDevice& resolved);

// Bytes still free on the device; nothing when this libtorch cannot tell.
std::optional<std::uint64_t> freeDeviceBytes(const c10::Device& device);

// Bytes of one number of a compute type's name ("float32", "bfloat16", "float16").
std::uint64_t bytesOf(const std::string& dtype);

// 0 = all. Applies to the calling thread's parallel work.
void useThreads(int threads);
int threadCount(int threads);

}  // namespace plastiscope
