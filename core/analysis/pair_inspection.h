#pragma once
// Lists key pairs of a head as its plasticity evaluates them: those of a map cell, and the distribution of PP
// over the pairs that a query position sees.
#include <cstdint>
#include <vector>

#include "core/analysis/plasticity.h"

namespace plastiscope {

struct InspectedPair {
  std::int64_t bin = 0;                               // of the queries
  double tau = kMissing;                              // position of the queries, tokens
  std::int64_t earlier = 0, later = 0;                // positions of the keys, tokens
  std::int64_t earlierExample = 0, laterExample = 0;  // differ only with pair_scope cross_example
  double pp = kMissing;
  double z = kMissing;  // mean / sqrt(variance) of q.(k_earlier - k_later); missing in mode empirical
};

// A cell of the map; at most `most` of its pairs are listed, evenly over the query bins.
struct CellRequest {
  std::int64_t distance = 0, midpoint = 0, most = 0;
};

// Pairs of a cell, bins ascending.
struct CellPairs {
  std::int64_t pairs = 0;  // in the whole cell
  double pp = kMissing;    // mean PP
  std::vector<InspectedPair> listed;
};
CellPairs pairsOfCell(const PlasticityInput& input, const HouseholderHead& reflected,
                      const AnalysisSettings& settings, const CellRequest& choice, const Progress& progress);

// Number of pairs of every bin with a PP in [i, i + 1) / kPpSteps; the last step includes 1.
inline constexpr std::int64_t kPpSteps = 20;
struct PpSpread {
  std::vector<BinResult> bins;
  std::vector<std::vector<std::int64_t>> counts;  // [bins][kPpSteps]
};
PpSpread ppSpreadOf(const PlasticityInput& input, const HouseholderHead& reflected,
                    const AnalysisSettings& settings, const Progress& progress);

// Mean PP of single rows: for a query over the pairs that its bin evaluates in its text (in any text with
// pair_scope cross_example), for a key over the pairs that contain it.
struct RowPlasticity {
  std::int64_t example = 0, position = 0;  // tokens
  std::int64_t pairs = 0;
  double pp = kMissing;  // mean PP
};
// [rows] in the order of the input.
struct RowPlasticities {
  std::vector<RowPlasticity> query, key;
};
RowPlasticities plasticityOfRows(const PlasticityInput& input, const HouseholderHead& reflected,
                                 const AnalysisSettings& settings, const Progress& progress);

}  // namespace plastiscope
