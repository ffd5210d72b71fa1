#pragma once
// The settings of an analysis as options: --pair-scope sets "pair_scope", and so on.
#include <map>
#include <string>

#include "core/analysis/settings.h"

namespace CLI {
class App;
}

namespace plastiscope {

// What was given on the command line; it must live until the command has run.
struct GivenSettings {
  std::string preset = "thesis";
  std::map<std::string, std::string> values;

  AnalysisSettings resolved() const;  // UsageError for values that are not known
};

// --preset and one option for every entry of settingList().
void addSettingOptions(CLI::App& app, GivenSettings& given);

}  // namespace plastiscope
