#include "core/compare/comparison_tables.h"

namespace plastiscope {

std::span<const ComparisonTable> comparisonTables() {
  static constexpr ComparisonTable kTables[] = {
      {"models", "one row an input: mean, SD and quartiles over heads of every metric", modelsTable},
      {"families", "means over the models of a family", familiesTable},
      {"depth", "means over heads by depth decile", depthTable},
      {"relative_depth", "layer means on a common grid of relative depth", relativeDepthTable},
      {"trajectory", "every metric along the inputs, with its change", trajectoryTable},
      {"paired_heads", "values of the heads that all inputs have", pairedHeadsTable},
      {"paired", "differences over those heads, with interval and correlation", pairedTable},
      {"profiles", "plasticity over query position", profilesTable},
      {"equal_positions", "plasticity at equal positions in tokens", equalPositionsTable},
      {"bumps", "dip, recovery and collapse of the profile", recoveryTable},
      {"map_difference", "difference of the maps, cell by cell", mapDifferenceTable},
      {"settings_differences", "settings in which the inputs differ", settingsDifferencesTable},
  };
  return kTables;
}

}  // namespace plastiscope
