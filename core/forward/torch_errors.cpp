#include "core/forward/torch_errors.h"

#include <c10/util/Exception.h>

#include <algorithm>
#include <array>
#include <exception>
#include <new>
#include <string>

#include "core/base/error.h"

namespace plastiscope {

namespace {

constexpr const char* kAdvice =
    "; use a shorter window, a 16-bit compute type, fewer threads, or free some memory";

// The CPU allocator of libtorch has no type of its own for this.
bool saysOutOfMemory(const std::string& text) {
  constexpr std::array kPhrases = {"can't allocate memory", "not enough memory", "out of memory"};
  return std::any_of(kPhrases.begin(), kPhrases.end(),
                     [&](const char* phrase) { return text.find(phrase) != std::string::npos; });
}

}  // namespace

void rethrowTorchError() {
  try {
    throw;
  } catch (const Error&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw ResourceError(std::string("not enough memory for the forward pass") + kAdvice);
  } catch (const c10::Error& error) {
    const bool memory = dynamic_cast<const c10::OutOfMemoryError*>(&error) != nullptr ||
                        saysOutOfMemory(error.what_without_backtrace());
    // What libtorch says stays the cause, for --verbose.
    if (memory)
      std::throw_with_nested(ResourceError(std::string("not enough memory for the forward pass") + kAdvice));
    std::throw_with_nested(
        Error(ErrorKind::Internal, "internal failure of the forward pass, please report it"));
  }
}

}  // namespace plastiscope
