#include "core/compare/reference_check.h"

#include <cmath>

#include "core/compare/checks/checks.h"
#include "core/compare/table_builder.h"

namespace plastiscope {

namespace {

// One group of checks = one function and one line.
constexpr void (*kGroups[])(Checks&) = {
    addDrops,
    addQuintiles,
    addRecoveries,
    addDeclines,
    addLengthBins,
    addWindowBias,
    addGrowth,
    addPlaneRange,
    addComponents,
    addClasses,
    addHeads,
    addCorrelations,
    addCheckpointCorrelations,
    addLengthMean,
};

}  // namespace

bool ReferenceCheck::agrees() const {
  return std::abs(recomputed - printed) <= tolerance;
}

std::vector<ReferenceCheck> referenceChecks() {
  Checks checks;
  for (const auto add : kGroups) add(checks);
  return checks;
}

Table referenceCheckTable(const std::vector<ReferenceCheck>& checks) {
  TableBuilder table("reference_check",
                     {texts("quantity"), texts("model"), numbers("printed"), numbers("recomputed"),
                      numbers("difference"), texts("agrees"), texts("note")});
  for (const ReferenceCheck& check : checks) {
    table.row({check.quantity, check.model, check.printed, check.recomputed, check.recomputed - check.printed,
               std::string(check.agrees() ? "true" : "false"), check.note});
  }
  return table.take();
}

}  // namespace plastiscope
