#pragma once
// The border where errors end (command line main, job, worker): every exception as one sentence of ours.
#include <string>

#include "core/base/error.h"

namespace plastiscope {

struct Failure {
  ErrorKind kind = ErrorKind::Internal;
  std::string sentence;  // one line, safe to print, of bounded length
  std::string detail;    // what a library said, for --verbose; safe to print too; may be empty
};

// Of the exception that is being handled.
Failure caughtFailure();

}  // namespace plastiscope
