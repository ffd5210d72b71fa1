#include "core/forward/torch_errors.h"

#include <c10/util/Exception.h>

#include <new>
#include <string>

#include "core/base/error.h"

namespace plastiscope {

namespace {

constexpr const char* kAdvice =
    "; use a shorter window, a 16-bit compute type, fewer threads, or free some memory";

std::string firstLine(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

bool saysOutOfMemory(const std::string& text) {
  return text.find("not enough memory") != std::string::npos ||
         text.find("out of memory") != std::string::npos;
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
    const std::string what = firstLine(error.what_without_backtrace());
    if (dynamic_cast<const c10::OutOfMemoryError*>(&error) != nullptr || saysOutOfMemory(what)) {
      throw ResourceError("not enough memory for the forward pass (" + what + ")" + kAdvice);
    }
    throw Error(ErrorKind::Internal, "libtorch: " + what);
  }
}

}  // namespace plastiscope
