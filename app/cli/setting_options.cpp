#include "app/cli/setting_options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>

#include "core/base/error.h"

namespace plastiscope {

namespace {

std::string optionNameOf(std::string key) {
  std::replace(key.begin(), key.end(), '_', '-');
  return "--" + key;
}

template <typename Number>
bool wholeNumber(const std::string& text, Number& value) {
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  return result.ec == std::errc() && result.ptr == text.data() + text.size();
}

// Text from the command line as the JSON type of the setting's default; counts may also be words ("all").
Json typedValue(const std::string& key, const std::string& text, const Json& standard) {
  std::int64_t integer = 0;
  double number = 0;
  if (standard.is_array()) {
    Json list = Json::array();
    for (const std::string& part : CLI::detail::split(text, ',')) {
      if (!wholeNumber(part, integer))
        throw UsageError(optionNameOf(key) + ": expected whole numbers, found \"" + part + "\"");
      list.push_back(integer);
    }
    return list;
  }
  if (standard.is_number_float() && wholeNumber(text, number)) return number;
  if (standard.is_number_integer() && wholeNumber(text, integer)) return integer;
  return text;
}

std::string helpOf(const SettingInfo& info) {
  const std::string standard = info.standard();
  return info.help + " (" + info.values() + (standard.empty() ? "" : "; default " + standard) + ")";
}

}  // namespace

AnalysisSettings GivenSettings::resolved() const {
  Json settings = AnalysisSettings::preset(preset).toJson();
  for (const auto& [key, text] : values) settings[key] = typedValue(key, text, settings.value(key, Json()));
  return AnalysisSettings::fromJson(settings);
}

void addSettingOptions(CLI::App& app, GivenSettings& given) {
  app.add_option("--preset", given.preset, "Start from: thesis, author or rigorous")->capture_default_str();
  for (const SettingInfo& info : settingList()) {
    app.add_option_function<std::string>(
           optionNameOf(info.name),
           [&given, key = info.name](const std::string& value) { given.values[key] = value; }, helpOf(info))
        ->group(info.group);
  }
}

}  // namespace plastiscope
