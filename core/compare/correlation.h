#pragma once
// Correlates a predictor with a score over few models, with intervals and p, also with families of models as
// replicates, because models of one family resemble each other (method.md, Correlation with benchmarks).
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/analysis/statistics.h"

namespace plastiscope {

struct CorrelationOptions {
  std::uint64_t seed = 0;
  int resamples = 10000;      // bootstrap of the slope
  int permutations = 100000;  // random orders for n > 8; all n! orders up to 8
  bool operator==(const CorrelationOptions&) const = default;
};

struct Correlation {
  std::int64_t n = 0;          // pairs with both values; below 3 the rest is missing
  double pearson = kMissing;   // missing if x or y is constant
  double spearman = kMissing;  // ties: average ranks
  double slope = kMissing;     // least squares: y = intercept + slope x
  double intercept = kMissing;
  double permutationP = kMissing;   // two-sided, of Pearson's r
  Interval pearsonInterval;         // 95 %, Fisher's z; missing for n <= 3
  Interval slopeInterval;           // 95 %, percentile bootstrap of pairs
  std::vector<double> leaveOneOut;  // Pearson without item i; missing if i is missing, or
                                    // fewer than 3 others are left
};

double pearsonOf(std::span<const double> x, std::span<const double> y);  // missing if x or y is constant
// Share of the orders of y whose |r| is at least the observed one (tolerance 1e-12). Random orders include
// the observed one.
double permutationP(std::span<const double> x, std::span<const double> y, const CorrelationOptions& options);

// p of many predictors of the same scores, adjusted by max-T (Westfall and Young 1993): the share of the
// orders of the scores in which the strongest predictor is at least as strong as this one was. Uses the
// orders of permutationP for all predictors; strength is |r| as Fisher's z times sqrt(n - 3), which ranks
// like |r| if all have the same models. `predictors`: [predictor][model], NaN = missing. Missing for
// predictors of 3 models or fewer, or with one value.
std::vector<double> adjustedP(const std::vector<std::vector<double>>& predictors,
                              std::span<const double> scores, const CorrelationOptions& options);

// Leaves out pairs with a missing value.
Correlation correlate(std::span<const double> x, std::span<const double> y,
                      const CorrelationOptions& options = {});

struct RegressionLine {
  double slope = kMissing;  // missing below 3 points or with a constant x
  double intercept = kMissing;
  double meanX = 0, squaresX = 0;  // sum of (x - mean)^2
  double scatter = 0;              // sqrt(residual squares / (n - 2))
  int n = 0;

  bool known() const { return slope == slope; }
  double at(double x) const { return intercept + slope * x; }
  // t s sqrt(1 / n + (x - mean)^2 / squaresX), t for 95 % with n - 2 degrees of freedom.
  double halfWidth(double x) const;
};
RegressionLine regressionOf(std::span<const double> x, std::span<const double> y);

struct FamilyCorrelation {
  std::vector<std::string> names;  // families in the order of their first model; empty: not known
  std::vector<double> without;     // [families] Pearson's r without the family; missing below 3 other models
  double p = kMissing;             // two-sided, of Pearson's r
  Interval interval;               // 95 %, percentile bootstrap of families
  std::string missing;             // why p or interval are missing

  std::string countText() const;  // "3 families"
};

// `families`: of every pair, "" = not known: then everything is missing. `lengths`: of the pairs, or none.
//
// p: the share of the orders in which |r| is at least the observed one. An order lets families exchange their
// scores as blocks: only families with equally many pairs (and the same lengths) exchange, and within a
// family the order stays (by length, else as given). All orders up to 8!, else random ones and the observed
// one. Missing with fewer than 20 orders, which allow no p of 0.05.
//
// Interval: draws as many families as there are, with all pairs of each; leaves out draws with fewer than 3
// different pairs, because two points always fit a line. Missing with fewer than 5 families.
FamilyCorrelation correlateFamilies(std::span<const double> x, std::span<const double> y,
                                    const std::vector<std::string>& families,
                                    const std::vector<std::int64_t>& lengths,
                                    const CorrelationOptions& options);

}  // namespace plastiscope
