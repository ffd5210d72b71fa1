#pragma once
// Correlates with families of models as replicates, because models of one family resemble each other.
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/compare/correlation.h"

namespace plastiscope {

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
