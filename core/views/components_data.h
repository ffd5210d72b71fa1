#pragma once
// Principal components of a head, the share of each query dimension in the drift, and the classes of heads
// (method.md, Principal components and Component weights).
#include <cstdint>
#include <string>
#include <vector>

#include "core/views/study_facts.h"

namespace plastiscope {

struct ComponentsData {
  std::vector<double> explainedVariance;  // [components], 0..1
  std::vector<double> rQuery, rKey;       // [components], NaN when missing
  double low = 0.3, high = 0.7;           // taxonomy thresholds
  std::int64_t heads = 1;                 // number of heads averaged
  std::string scopeText;
  std::string published;  // how published numbers were read, "digitised"; empty for analyses
};
ComponentsData makeComponents(const AnalysisFile& analysis, const HeadScope& scope);
// Averages over the heads of several analyses (at least one, none null) as if they were one analysis.
ComponentsData poolComponents(const std::vector<const AnalysisFile*>& analyses, const HeadScope& scope);

struct ComponentWeightsData {
  std::vector<double> weight;        // [head_dim], sums to 1 over dimensions; NaN when missing
  std::vector<std::int64_t> pairOf;  // [head_dim] RoPE pair of the dimension, -1 when it is not rotated
  std::int64_t pairs = 0;
  std::int64_t strongestPair = -1;  // the pair with the largest summed weight
  double strongestShare = 0;
  std::int64_t heads = 1;
  std::string scopeText;
  std::string published;  // as above
};
ComponentWeightsData makeComponentWeights(const AnalysisFile& analysis, const StudyFacts& facts,
                                          const HeadScope& scope);

// ---- r_q against r_k on PC0 for all heads, with the class borders (method.md, Head classes)

struct TaxonomyClass {
  std::string name;   // value in heads.csv: "position_dominated"
  std::string title;  // "position-dominated"
  std::int64_t heads = 0;
};

// The five classes in their fixed order, with no heads counted.
std::vector<TaxonomyClass> taxonomyClasses();

struct TaxonomyPoint {
  HeadName head;
  double rQuery = 0, rKey = 0;
  std::size_t classIndex = 0;  // into TaxonomyData::classes
};

// Where the name of a class stands in the quadrant of positive correlations.
struct TaxonomyRegion {
  double rQuery = 0, rKey = 0;
  std::size_t classIndex = 0;
};

struct TaxonomyData {
  double low = 0.3, high = 0.7;
  std::vector<TaxonomyClass> classes;  // all five in fixed order, so that colours stay the same
  std::vector<TaxonomyPoint> points;   // heads with both values
  std::int64_t undefined = 0;          // heads without a class
  std::vector<TaxonomyRegion> regions;
};

// The scope's layer restricts the heads; its head does not.
TaxonomyData makeTaxonomy(const AnalysisFile& analysis, const HeadScope& scope = {});

}  // namespace plastiscope
