#pragma once
// Token losses of the compared models (loss.csv of captures with --loss): by position, and at the end of
// repeated passages compared with their first occurrence.
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/table.h"
#include "core/compare/comparison.h"
#include "core/compare/text_inference.h"

namespace plastiscope {

// Replicates of a loss without each group of texts (loss_texts.csv), or the test of a difference.
struct LossTexts {
  TextValue value;
  TextTest test;
};

struct ComparedLoss {
  ComparedName model;
  std::vector<double> share;  // [parts] middle of a part of the window, 0..1; empty without losses
  std::vector<double> nll;    // [parts] nats per token; NaN = missing
  std::vector<std::int64_t> from, to, tokens;                    // [parts]
  double all = kMissing, repeated = kMissing, first = kMissing;  // nats per token
  std::int64_t allTokens = 0, repeatedTokens = 0;
  std::vector<LossTexts> texts = {};  // [parts]
  LossTexts ofAll = {}, ofRepeated = {}, ofFirst = {};

  bool known() const { return !nll.empty(); }
};

struct ComparedLosses {
  std::vector<ComparedLoss> models;      // in the order of the comparison
  const ComparedLoss* baseline() const;  // the first model with losses; null: none
};

// Differences at the same share of each window, tested over texts; unknown if either has no losses.
ComparedLoss lossDifference(const ComparedLoss& baseline, const ComparedLoss& other);

ComparedLosses compareLosses(const Comparison& comparison);

inline constexpr const char* kLossUnit = "nats per token";
std::string lossText(double value, bool difference);  // "2.9716", "+0.0178"

// "perplexity 12.310 → 12.938, loss +0.0499 nats per token, 95 % over texts +0.0102 to +0.0896: different";
// without an interval if the texts are not known; "" if either has no losses.
std::string perplexityChange(const ComparedLoss& first, const ComparedLoss& other);

// Columns: model, part (all | position | repeated | first_occurrence), from, to, tokens, nll, difference from
// the first model with losses, perplexity, difference_low, difference_high, interval_over, verdict. Positions
// in tokens.
Table tableOf(const ComparedLosses& data);
Table lossTable(const Comparison& comparison);

}  // namespace plastiscope
