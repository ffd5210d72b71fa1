#pragma once
// Compares the printed numbers of the thesis with values recomputed from its own data, and with own analyses
// of the same models.
#include <string>
#include <vector>

#include "core/base/table.h"
#include "core/compare/comparison.h"

namespace plastiscope {

struct ReferenceCheck {
  std::string quantity, model;
  double printed = 0, recomputed = 0;
  double tolerance = 0;  // half a unit of the last printed digit, plus what rounded inputs allow
  std::string note;      // how it is computed; explanation of a difference
  bool agrees() const;
};

std::vector<ReferenceCheck> referenceChecks();
// Columns: quantity, model, printed, recomputed, difference, agrees, note
Table referenceCheckTable(const std::vector<ReferenceCheck>& checks);

// ---- Own analyses beside the published numbers of their model

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
