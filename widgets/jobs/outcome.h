#pragma once
// What background work ends with: a value, or what went wrong in one sentence.
#include <QString>
#include <functional>
#include <optional>
#include <utility>

#include "core/base/error.h"

namespace plastiscope {

struct JobFailure {
  ErrorKind kind = ErrorKind::Internal;
  QString sentence;
};

template <typename Value>
struct Outcome {
  std::optional<Value> value;
  JobFailure failure;  // meaningful without a value
  bool ok() const { return value.has_value(); }
  bool stopped() const { return !ok() && failure.kind == ErrorKind::Stopped; }
};

// The failure that the exception in flight stands for. Call inside a catch block.
JobFailure failureInFlight();

// Runs `work` and turns every exception into a failure.
template <typename Value, typename Work>
Outcome<Value> outcomeOf(Work&& work) {
  Outcome<Value> outcome;
  try {
    outcome.value.emplace(std::forward<Work>(work)());
  } catch (...) {
    outcome.failure = failureInFlight();
  }
  return outcome;
}

}  // namespace plastiscope
