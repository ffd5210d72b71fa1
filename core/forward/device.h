#pragma once
// Device and compute type of the forward pass.
#include <c10/core/Device.h>
#include <c10/core/ScalarType.h>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "core/forward/forward.h"

namespace plastiscope {

struct Compute {
  c10::Device device{c10::kCPU};
  c10::ScalarType dtype = c10::kFloat;
};

Compute computeOf(const ResolvedDevice& resolved);

// Free bytes on the device; nothing if this libtorch cannot report them.
std::optional<std::uint64_t> freeDeviceBytes(const c10::Device& device);

// Whether matrix products in this type are at least as fast as in float32.
bool cpuIsFastIn(std::string_view dtype);

// Bytes per number of a compute type ("float32", "bfloat16", "float16").
std::uint64_t bytesOf(const std::string& dtype);

// Number of threads for parallel work of the calling thread; 0 = all.
void useThreads(int threads);
int threadCount(int threads);

// ---- Conversion of libtorch errors.

// Call inside a catch block: rethrows the current exception, libtorch's out of memory as ResourceError, its
// other errors as internal Error without stack trace.
[[noreturn]] void rethrowTorchError();

template <typename Work>
decltype(auto) withTorchErrors(Work&& work) {
  try {
    return std::forward<Work>(work)();
  } catch (...) {
    rethrowTorchError();
  }
}

}  // namespace plastiscope
