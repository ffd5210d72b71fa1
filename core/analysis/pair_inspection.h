#pragma once
// The key pairs of a head one by one, as its plasticity values them: what stands behind a cell of the map,
// and how PP is spread over the pairs that a query position sees.
#include <cstdint>
#include <vector>

#include "core/analysis/plasticity.h"

namespace plastiscope {

struct InspectedPair {
  std::int64_t bin = 0;                               // of the queries
  double tau = kMissing;                              // their position, tokens
  std::int64_t earlier = 0, later = 0;                // positions of the keys, tokens
  std::int64_t earlierExample = 0, laterExample = 0;  // differ only with pair_scope cross_example
  double pp = kMissing;
  double z = kMissing;  // mean / sqrt(variance) of q.(k_earlier - k_later); missing in mode empirical
};

// A cell of the map; no more than `most` of its pairs are listed, evenly over the bins of the queries.
struct CellRequest {
  std::int64_t distance = 0, midpoint = 0, most = 0;
};

// Its pairs, bins ascending.
struct CellPairs {
  std::int64_t pairs = 0;  // all of the cell
  double pp = kMissing;    // their mean
  std::vector<InspectedPair> listed;
};
CellPairs pairsOfCell(const PlasticityInput& input, const HouseholderHead& reflected,
                      const AnalysisSettings& settings, const CellRequest& choice, const Progress& progress);

// How many pairs of every bin have a PP in [i, i + 1) / kPpSteps; the last step holds 1 too.
inline constexpr std::int64_t kPpSteps = 20;
struct PpSpread {
  std::vector<BinResult> bins;
  std::vector<std::vector<std::int64_t>> counts;  // [bins][kPpSteps]
};
PpSpread ppSpreadOf(const PlasticityInput& input, const HouseholderHead& reflected,
                    const AnalysisSettings& settings, const Progress& progress);

// How open the order of two keys is in the pairs of single rows: of a query in those that its bin values in
// its text (in any, with pair_scope cross_example), of a key in those that it is part of.
struct RowPlasticity {
  std::int64_t example = 0, position = 0;  // tokens
  std::int64_t pairs = 0;
  double pp = kMissing;  // their mean
};
// [rows] of the input, in their order.
struct RowPlasticities {
  std::vector<RowPlasticity> query, key;
};
RowPlasticities plasticityOfRows(const PlasticityInput& input, const HouseholderHead& reflected,
                                 const AnalysisSettings& settings, const Progress& progress);

}  // namespace plastiscope
