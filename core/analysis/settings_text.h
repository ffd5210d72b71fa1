#pragma once
// Settings of an analysis as a person writes them: options of the command line, fields of a form.
#include <map>
#include <string>
#include <vector>

#include "core/analysis/settings.h"

namespace plastiscope {

// By the names of settingList(); those that are missing are as in the preset.
using SettingTexts = std::map<std::string, std::string>;

std::string settingOption(const std::string& name);  // "pair_scope" -> "--pair-scope"
// Every setting as it would be given; lists separated by commas.
SettingTexts settingTexts(const AnalysisSettings& settings);
// UsageError that names the setting, what is expected and what was found.
AnalysisSettings settingsOf(const std::string& preset, const SettingTexts& texts);
// The options that make `settings` from the preset: "--bootstrap", "200", in the order of the list.
std::vector<std::string> settingArguments(const std::string& preset, const AnalysisSettings& settings);

}  // namespace plastiscope
