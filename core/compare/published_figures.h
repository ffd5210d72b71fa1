#pragma once
// The thesis' published numbers in the form of own results: as data of figures, whose `published` states
// their source (numbers of heads and pairs are not known), and as studies for comparisons.
#include <memory>
#include <string>
#include <vector>

#include "core/compare/head_distributions.h"
#include "core/compare/model_series.h"
#include "core/compare/reference_data.h"
#include "core/views/map_data.h"
#include "core/views/study.h"

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

// A model of the thesis as a study without heads. `input`: "published:qwen3-0.6b" (publishedInput).
// UsageError names the nearest model.
std::shared_ptr<const Study> publishedStudy(const std::string& input);

// The published atlas: the thirteen models of the thesis, then the checkpoints of SmolLM3.
struct AtlasEntry {
  ReferenceModel model;
  std::vector<std::string> shown;  // "profile", "quintiles", "map", "numbers": what is published of it
};
std::vector<AtlasEntry> publishedAtlas();

}  // namespace plastiscope
