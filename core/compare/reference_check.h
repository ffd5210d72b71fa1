#pragma once
// Checks printed numbers of the thesis against values recomputed from its own data.
#include <string>
#include <vector>

#include "core/base/table.h"

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

}  // namespace plastiscope
