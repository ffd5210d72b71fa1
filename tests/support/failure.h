#pragma once
#include <string>

#include "core/base/error.h"

namespace plastiscope::test {

// Message of the error of this kind that `action` throws, after its exit code if `withCode`; "no error" when
// nothing is thrown. Other errors propagate.
template <typename Kind = Error, typename Action>
std::string failureOf(const Action& action, bool withCode = false) {
  try {
    action();
  } catch (const Kind& error) {
    return (withCode ? std::to_string(error.exitCode()) + " " : "") + error.what();
  }
  return "no error";
}

}  // namespace plastiscope::test
