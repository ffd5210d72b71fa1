#pragma once
#include <functional>
#include <string>

#include "core/base/error.h"

namespace plastiscope::test {

// The sentence of the error that is thrown; "no error" when none is.
inline std::string failureOf(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace plastiscope::test
