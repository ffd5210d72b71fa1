#pragma once
// Errors of libtorch in the program's own types.
#include <utility>

namespace plastiscope {

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
