#pragma once
#include <functional>
#include <string>

#include "core/base/error.h"

namespace plastiscope::test {

// The sentence of the error that is thrown, with its exit code in front when that is asked for; "no error"
// when none is.
inline std::string failureOf(const std::function<void()>& action, bool withCode = false) {
  try {
    action();
  } catch (const Error& error) {
    return (withCode ? std::to_string(error.exitCode()) + " " : "") + error.what();
  }
  return "no error";
}

}  // namespace plastiscope::test
