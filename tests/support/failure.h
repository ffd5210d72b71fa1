#pragma once
#include <string>

#include "core/base/error.h"

namespace plastiscope::test {

// The sentence of the error of that kind that `action` throws, with its exit code in front when that is asked
// for; "no error" when it throws none. Other errors go on.
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
