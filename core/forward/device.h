#pragma once
// Where and in which type the forward pass computes.
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

// Bytes still free on the device; nothing when this libtorch cannot tell.
std::optional<std::uint64_t> freeDeviceBytes(const c10::Device& device);

// True where matrix products of that compute type are no slower than those of float32.
bool cpuIsFastIn(std::string_view dtype);

// Bytes of one number of a compute type's name ("float32", "bfloat16", "float16").
std::uint64_t bytesOf(const std::string& dtype);

// 0 = all. Applies to the calling thread's parallel work.
void useThreads(int threads);
int threadCount(int threads);

// ---- Errors of libtorch in the program's own types.

// Call inside a catch block: rethrows the current exception; memory that libtorch could not get becomes a
// ResourceError, any other failure of libtorch an internal Error without its stack trace.
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
