#pragma once
// Compares an own analysis with the thesis' published numbers of the same model.
#include <string>
#include <vector>

#include "core/compare/comparison.h"

namespace plastiscope {

struct Deviation {
  std::string model;      // the input
  std::string reference;  // id of the published model
  std::string metric;     // "ap_drop", "ap_quintile_3", "ap 8192-16384", "r_k depth decile 4"
  double own = 0, published = 0;
  std::string tolerance;  // expected size (method.md, Agreement with published runs)
  std::string source, accuracy;
  double difference() const { return own - published; }
};

// Numbers that only one side has are left out. Empty for a model that is not in the thesis.
std::vector<Deviation> deviationsOf(const Comparison& comparison, std::size_t model,
                                    const ReferenceModel& reference);
// Columns: model, reference, metric, own, published, difference, tolerance, source, accuracy
Table deviationTable(const std::vector<Deviation>& deviations);

}  // namespace plastiscope
