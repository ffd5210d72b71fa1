#pragma once
// The thesis' published numbers as the data of figures: drawn by the same builders as own analyses, with
// `published` saying how they were read. How many heads or pairs stand behind them is not known.
#include <string>
#include <vector>

#include "core/compare/bar_data.h"
#include "core/compare/family_data.h"
#include "core/compare/published_numbers.h"
#include "core/compare/trajectory_data.h"
#include "core/views/map_data.h"

namespace plastiscope {

// Model ids of reference_data.h. Empty maps and weights where nothing is published.
MapData publishedMap(const std::string& modelId);
// The largest weights only; the others are missing.
ComponentWeightsData publishedWeights(const std::string& modelId);
ComponentsData publishedComponents();
// r_q, r_k; of the primary models abs_r_k_a and bias_strength too.
DepthMapData publishedDepthMap(PublishedModels models, const std::string& metric);
TrajectoryData publishedTrajectory(const std::vector<std::string>& metrics);  // of the checkpoints
BarData publishedModelBars(PublishedModels models, const std::string& metric);
BarData publishedSignalBars();       // of the primary models
ComparedShares publishedTaxonomy();  // of the checkpoints
ComparedShares publishedVariance();  // of the primary models

}  // namespace plastiscope
