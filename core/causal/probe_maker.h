#pragma once
// Makes probes for any tokenizer: exact in tokens, equal for equal seeds (method.md, Probes).
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/base/json_value.h"
#include "core/base/option.h"
#include "core/base/progress.h"
#include "core/causal/probe_text.h"
#include "core/text/tokenizer.h"

namespace plastiscope {

struct ProbeSettings {
  std::vector<ProbeKind> kinds;  // none: all, those that need texts only if there are texts
  std::vector<std::int64_t> lengths = {256, 1024};  // tokens
  std::vector<double> depths = {0, 0.5, 1};
  std::int64_t count = 8;  // replicates of each kind, length and depth; texts of the kind text
  std::uint64_t seed = 0;
  bool controls = true;
  std::int64_t needles = 4;        // of the kind needles
  std::int64_t pairs = 16;         // lines of a key-value list
  std::int64_t answerTokens = 4;   // of a random value
  std::int64_t repeatTokens = 32;  // of a repeated passage
  std::int64_t textTokens = 64;    // scored in a text: repeated ones, and new ones, at most

  Json toJson() const;
  // UsageError for unknown members and wrong values.
  static ProbeSettings fromJson(const Json& value);
};

// Options in the order of the help; their keys are those of the JSON.
OptionList probeOptions(ProbeSettings& settings);

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
