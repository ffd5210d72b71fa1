#pragma once
// r_q against r_k on PC0 for all heads, with the class borders (method.md 2).
#include <cstdint>
#include <string>
#include <vector>

#include "core/views/study_facts.h"

namespace plastiscope {

struct TaxonomyClass {
  std::string name;   // value in heads.csv: "position_dominated"
  std::string title;  // "position-dominated"
  std::int64_t heads = 0;
};

// The five classes in their fixed order, without heads.
std::vector<TaxonomyClass> taxonomyClasses();

struct TaxonomyPoint {
  HeadName head;
  double rQuery = 0, rKey = 0;
  std::size_t classIndex = 0;  // into TaxonomyData::classes
};

struct TaxonomyData {
  double low = 0.3, high = 0.7;
  std::vector<TaxonomyClass> classes;  // all five in fixed order, so that colours never move
  std::vector<TaxonomyPoint> points;   // heads with both values
  std::int64_t undefined = 0;          // heads without a class
};

// The scope's layer restricts the heads; its head does not.
TaxonomyData makeTaxonomy(const AnalysisFile& analysis, const HeadScope& scope = {});

}  // namespace plastiscope
