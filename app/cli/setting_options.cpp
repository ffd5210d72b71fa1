#include "app/cli/setting_options.h"

#include <CLI/CLI.hpp>

namespace plastiscope {

namespace {

std::string helpOf(const SettingInfo& info) {
  const std::string standard = settingTexts(AnalysisSettings()).at(info.name);
  return info.help + " (" + info.values() + (standard.empty() ? "" : "; default " + standard) + ")";
}

}  // namespace

void addSettingOptions(CLI::App& app, GivenSettings& given) {
  std::string presets;
  for (const SettingPreset& preset : settingPresets())
    presets += (presets.empty() ? "Start from " : "; ") + std::string(preset.name) + ": " + preset.meaning;
  app.add_option("--preset", given.preset, presets)->capture_default_str();
  for (const SettingInfo& info : settingList()) {
    app.add_option_function<std::string>(
           settingOption(info.name),
           [&given, key = info.name](const std::string& value) { given.values[key] = value; }, helpOf(info))
        ->group(info.group);
  }
}

}  // namespace plastiscope
