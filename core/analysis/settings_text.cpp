#include "core/analysis/settings_text.h"

#include <algorithm>
#include <charconv>
#include <sstream>

#include "core/base/error.h"
#include "core/base/json.h"

namespace plastiscope {

namespace {

template <typename Number>
bool isNumber(const std::string& text, Number& value) {
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  return result.ec == std::errc() && result.ptr == text.data() + text.size();
}

// As the JSON type of the setting's default; counts may also be words ("all").
Json valueOf(const std::string& name, const std::string& text, const Json& standard) {
  std::int64_t integer = 0;
  double number = 0;
  if (standard.is_array()) {
    Json list = Json::array();
    std::istringstream parts(text);
    for (std::string part; std::getline(parts, part, ',');) {
      if (!isNumber(part, integer))
        throw UsageError(settingOption(name) + ": expected whole numbers, found \"" + part + "\"");
      list.push_back(integer);
    }
    return list;
  }
  if (standard.is_number_float() && isNumber(text, number)) return number;
  if (standard.is_number_integer() && isNumber(text, integer)) return integer;
  std::uint64_t seed = 0;  // the one that may be larger
  if (standard.is_number_unsigned() && isNumber(text, seed)) return seed;
  return text;
}

std::string textOf(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  std::string text = canonicalJson(value);
  if (value.is_array()) text = text.substr(1, text.size() - 2);
  return text;
}

}  // namespace

std::string settingOption(const std::string& name) {
  std::string option = "--" + name;
  std::replace(option.begin(), option.end(), '_', '-');
  return option;
}

SettingTexts settingTexts(const AnalysisSettings& settings) {
  SettingTexts texts;
  const Json values = settings.toJson();
  for (const auto& [name, value] : values.items()) texts[name] = textOf(value);
  return texts;
}

AnalysisSettings settingsOf(const std::string& preset, const SettingTexts& texts) {
  Json settings = AnalysisSettings::preset(preset).toJson();
  for (const auto& [name, text] : texts) settings[name] = valueOf(name, text, settings.value(name, Json()));
  return AnalysisSettings::fromJson(settings);
}

std::vector<std::string> settingArguments(const std::string& preset, const AnalysisSettings& settings) {
  const SettingTexts before = settingTexts(AnalysisSettings::preset(preset)), now = settingTexts(settings);
  std::vector<std::string> arguments;
  if (preset != settingPresets().front().name) arguments = {"--preset", preset};
  for (const SettingInfo& info : settingList()) {
    if (now.at(info.name) == before.at(info.name)) continue;
    arguments.push_back(settingOption(info.name));
    arguments.push_back(now.at(info.name));
  }
  return arguments;
}

}  // namespace plastiscope
