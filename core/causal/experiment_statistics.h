#pragma once
// Outcomes of an intervention study by text, their tests and tables (method.md, Intervention studies). Texts
// are the replicates; sets of the same size are exchangeable under the hypothesis that the ranking is
// arbitrary.
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/analysis/statistics.h"
#include "core/base/table.h"
#include "core/causal/experiment_sets.h"

namespace plastiscope {

// ---- Outcomes

// A class of scored tokens: those of probes of one kind and condition, or some of them.
struct TokenClass {
  static constexpr std::int64_t kAll = 0, kUnseen = -1;
  ProbeKind kind = ProbeKind::Text;
  ProbeCondition condition = ProbeCondition::Present;
  // kAll; kUnseen: tokens of texts that copy nothing; else tokens that copy one from `distance` up to
  // 2 distance - 1 tokens before, a power of two.
  std::int64_t distance = kAll;
  auto operator<=>(const TokenClass&) const = default;
  std::string text() const;    // "needle", "needle absent", "text unseen", "needle 512-1023"
  std::string phrase() const;  // "tokens of needles copied from 512 to 1,023 tokens before"
};

// The classes of each scored token, by position in `scored`: all of its kind, and the one by distance, or -1.
struct ProbeClasses {
  std::vector<TokenClass> classes;  // ascending
  std::vector<std::array<std::ptrdiff_t, 2>> ofToken;
  std::vector<std::int64_t> tokens;  // [classes]
};
ProbeClasses classesOf(const ProbeText& probe);

struct OutcomeSum {
  double nll = 0;            // nats
  std::int64_t correct = 0;  // tokens of rank 1
};
using ProbeSums = std::vector<std::vector<OutcomeSum>>;  // [unchanged, then changes][classes]
std::vector<OutcomeSum> sumsOf(const ProbeClasses& classes, const Outcomes& outcomes);

enum class OutcomeMeasure { Nll, Accuracy };
constexpr std::array<const char*, 2> namesOf(OutcomeMeasure) {
  return {"nll", "accuracy"};
}

// One measure of a class by text: means over its tokens in all probes of a replicate.
struct MeasuredOutcome {
  TokenClass tokens;
  OutcomeMeasure measure = OutcomeMeasure::Nll;
  std::int64_t count = 0;                // tokens
  std::vector<std::int64_t> replicates;  // of the texts, ascending
  std::vector<double> unchanged;         // [texts]
  // [changes][texts] increase of nll in nats, or decrease of accuracy: positive is harm.
  std::vector<std::vector<double>> harm;
  double changedMean(std::size_t change) const;
};
// By class, then measure.
std::vector<MeasuredOutcome> measuredOutcomes(const std::vector<ProbeText>& probes,
                                              const std::vector<ProbeSums>& sums);

// ---- Statistics

// A mean over texts with the interval of the jackknife (Student's t, n - 1 degrees of freedom), and p by sign
// flips.
struct TextEffect {
  std::int64_t texts = 0;
  double mean = kMissing;
  Interval interval = {};
  double p = kMissing;
};
TextEffect effectOver(std::span<const double> texts, std::uint64_t seed);

inline constexpr int kExhaustiveTexts = 14, kSignFlips = 9999;
// Two-sided: share of sign flips whose mean is at least as far from 0. All flips of up to kExhaustiveTexts
// texts, else kSignFlips random ones and the observed one. Missing below two texts.
double signFlipP(std::span<const double> texts, std::uint64_t seed);
// The smallest p that so many texts can have.
double leastSignFlipP(std::size_t texts);

// (1 + number of draws at least as large) / (1 + draws); missing without draws. One-sided: small if `value`
// is larger than most.
double drawP(double value, std::span<const double> draws);

// Least-squares slope of values on doses; missing below two doses.
double doseSlope(std::span<const std::int64_t> doses, std::span<const double> values);

// Holm's step-down adjustment of the present values; missing ones stay missing.
std::vector<double> holmAdjusted(std::span<const double> p);

// ---- Tables (resources/help/causes.md)

// Effects of rankings and named sets, dose slopes, single heads, far minus near, every draw, the heads of
// every set, and a sentence per result.
std::vector<Table> experimentTables(const ExperimentDesign& design,
                                    const std::vector<MeasuredOutcome>& outcomes, std::uint64_t seed);
std::vector<std::string> experimentTableNames();

// Tests that cannot reach 5 % after Holm because of too few texts or matched sets, and what to change.
std::vector<std::string> powerWarnings(const ExperimentDesign& design,
                                       const std::vector<MeasuredOutcome>& outcomes);

}  // namespace plastiscope
