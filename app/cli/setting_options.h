#pragma once
// The settings of an analysis as options: --pair-scope sets "pair_scope", and so on.
#include <string>

#include "core/analysis/settings.h"

namespace CLI {
class App;
}

namespace plastiscope {

// What was given on the command line; it must live until the command has run.
struct GivenSettings {
  std::string preset = "thesis";
  SettingTexts values;

  AnalysisSettings resolved() const { return settingsOf(preset, values); }  // UsageError
};

// --preset and one option for every entry of settingList().
void addSettingOptions(CLI::App& app, GivenSettings& given);

}  // namespace plastiscope
