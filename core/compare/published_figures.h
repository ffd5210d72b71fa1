#pragma once
// The thesis' published numbers as data of figures, drawn by the same builders as own analyses; `published`
// states their source. Numbers of heads and pairs are not known.
#include <string>
#include <vector>

#include "core/compare/bar_data.h"
#include "core/compare/family_data.h"
#include "core/compare/published_numbers.h"
#include "core/compare/trajectory_data.h"
#include "core/views/map_data.h"

namespace plastiscope {

// `modelId`: of reference_data.h. Empty if nothing is published.
MapData publishedMap(const std::string& modelId);
// The largest weights only; the others are missing.
ComponentWeightsData publishedWeights(const std::string& modelId);
ComponentsData publishedComponents();
// Metrics r_q and r_k; for the primary models also abs_r_k_a and bias_strength.
DepthMapData publishedDepthMap(PublishedModels models, const std::string& metric);
TrajectoryData publishedTrajectory(const std::vector<std::string>& metrics);  // of the checkpoints
BarData publishedModelBars(PublishedModels models, const std::string& metric);
BarData publishedSignalBars();       // of the primary models
ComparedShares publishedTaxonomy();  // of the checkpoints
ComparedShares publishedVariance();  // of the primary models

}  // namespace plastiscope
