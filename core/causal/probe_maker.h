#pragma once
// Makes probes for any tokenizer: exact in tokens, equal for equal seeds (method.md, Probes).
#include <cstdint>
#include <memory>
#include <vector>

#include "core/base/progress.h"
#include "core/causal/probe_request.h"
#include "core/text/tokenizer.h"

namespace plastiscope {

struct ProbeSource {
  std::shared_ptr<const Tokenizer> tokenizer;    // null: questions and answers are random tokens
  std::int64_t vocabulary = 0;                   // of the model
  std::vector<std::int32_t> before;              // template tokens that begin every probe
  std::vector<std::vector<std::int32_t>> texts;  // of the user, without `before`; none: random filler
};

// Probes by kind, length, depth, replicate and condition. UsageError if the lengths, the texts or the
// vocabulary are too small; Stopped.
std::vector<ProbeText> makeProbes(const ProbeSettings& settings, const ProbeSource& source,
                                  Progress& progress);

}  // namespace plastiscope
