#pragma once
// Variance full and empirical in every resample: both depend on the queries of a bin only through their
// scores q.(k_i - k_j), which stay what they are while the queries' weights change.
#include <string>
#include <vector>

#include "core/analysis/bootstrap_draws.h"
#include "core/analysis/resampled_pairs.h"

namespace plastiscope {

// Fills ap and cells of the valid bins in all[resample][bin].
void valueByScores(const PlasticityInput& input, const std::string& variance, const ResampledPairs& pairs,
                   const Resamples& resamples, std::vector<std::vector<BinResult>>& all,
                   const Progress& progress);

}  // namespace plastiscope
