#pragma once
// The profile of a head in every resample of the examples: what plasticityOf() would find where the rows of
// example e stand times[e] times, for the pairs that were selected on the whole capture. Without a group of a
// jackknife, bins stay where and what they are as far as possible (bootstrap.h).
#include <vector>

#include "core/analysis/bootstrap_draws.h"
#include "core/analysis/plasticity.h"

namespace plastiscope {

// models: of the queries, one a resample, in the basis of the captured rows. Bins of [resample][bin]; maps
// are not made. Memory: about 150 bytes a resample and bin, the selected pairs, and 64 MiB while they are
// valued.
std::vector<std::vector<BinResult>> resampledBins(const PlasticityInput& input,
                                                  const AnalysisSettings& settings,
                                                  const Resamples& resamples,
                                                  const std::vector<QueryModel>& models,
                                                  const Progress& progress);

}  // namespace plastiscope
