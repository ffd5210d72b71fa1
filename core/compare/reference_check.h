#pragma once
// Printed numbers of the thesis that can be computed again from its own data, and where the two differ.
#include <string>
#include <vector>

#include "core/base/table.h"

namespace plastiscope {

struct ReferenceCheck {
  std::string quantity, model;
  double printed = 0, recomputed = 0;
  double tolerance = 0;  // half a unit of the last printed digit, plus what rounded inputs allow
  std::string note;      // how it is computed; how a difference is settled
  bool agrees() const;
};

std::vector<ReferenceCheck> referenceChecks();
// quantity, model, printed, recomputed, difference, agrees, note
Table referenceCheckTable(const std::vector<ReferenceCheck>& checks);

}  // namespace plastiscope
