#include "core/model/config_values.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/base/foreign_text.h"
#include "core/base/json.h"

namespace plastiscope {

namespace {
constexpr std::size_t kMostItems = 1 << 16;
}

void ConfigValues::setDefaults(const ConfigDefaults& defaults) {
  m_defaults = toJson(defaults);
}

const Json* ConfigValues::find(const std::string& key) const {
  for (const Json* values : {&*m_values, &*m_defaults}) {
    const auto found = values->find(key);
    if (found != values->end() && !found->is_null()) return &*found;
  }
  return nullptr;
}

std::int64_t ConfigValues::integer(const std::string& key, std::int64_t least, std::int64_t most) const {
  const Json* value = find(key);
  const std::string expected = "a whole number from " + std::to_string(least) + " to " + std::to_string(most);
  if (value == nullptr) refuse(key, expected, "none");
  // Numbers beyond int64 are floating point or unsigned here; both would wrap.
  const bool huge =
      value->is_number_unsigned() && value->get<std::uint64_t>() > static_cast<std::uint64_t>(INT64_MAX);
  if (!value->is_number_integer() || huge) refuse(key, expected, shortText(*value));
  const auto number = value->get<std::int64_t>();
  if (number < least || number > most) refuse(key, expected, shortText(*value));
  return number;
}

std::int64_t ConfigValues::integerOr(const std::string& key, std::int64_t otherwise, std::int64_t least,
                                     std::int64_t most) const {
  return find(key) == nullptr ? otherwise : integer(key, least, most);
}

double ConfigValues::number(const std::string& key, double least, double most) const {
  const Json* value = find(key);
  const std::string expected = "a number from " + Json(least).dump() + " to " + Json(most).dump();
  if (value == nullptr) refuse(key, expected, "none");
  if (!value->is_number()) refuse(key, expected, shortText(*value));
  const auto number = value->get<double>();
  if (!(number >= least && number <= most)) refuse(key, expected, shortText(*value));
  return number;
}

double ConfigValues::numberOr(const std::string& key, double otherwise, double least, double most) const {
  return find(key) == nullptr ? otherwise : number(key, least, most);
}

std::vector<std::int64_t> ConfigValues::integersOr(const std::string& key,
                                                   std::vector<std::int64_t> otherwise, std::int64_t least,
                                                   std::int64_t most) const {
  const Json* value = find(key);
  if (value == nullptr) return otherwise;
  if (!value->is_array() || value->size() > kMostItems) refuse(key, "a list of numbers", shortText(*value));
  std::vector<std::int64_t> numbers;
  for (const Json& item : *value) {
    const bool fits = item.is_boolean() || item.is_number_integer();
    const std::int64_t number = !fits               ? 0
                                : item.is_boolean() ? static_cast<std::int64_t>(item.get<bool>())
                                                    : item.get<std::int64_t>();
    if (!fits || number < least || number > most) {
      refuse(key, "whole numbers from " + std::to_string(least) + " to " + std::to_string(most),
             shortText(item));
    }
    numbers.push_back(number);
  }
  return numbers;
}

std::vector<std::string> ConfigValues::textsOr(const std::string& key,
                                               std::vector<std::string> otherwise) const {
  const Json* value = find(key);
  if (value == nullptr) return otherwise;
  const bool fits =
      value->is_array() && value->size() <= kMostItems &&
      std::all_of(value->begin(), value->end(), [](const Json& item) { return item.is_string(); });
  if (!fits) refuse(key, "a list of texts", shortText(*value));
  return value->get<std::vector<std::string>>();
}

bool ConfigValues::flagOr(const std::string& key, bool otherwise) const {
  const Json* value = find(key);
  if (value == nullptr) return otherwise;
  if (!value->is_boolean()) refuse(key, "true or false", shortText(*value));
  return value->get<bool>();
}

std::string ConfigValues::textOr(const std::string& key, const std::string& otherwise) const {
  const Json* value = find(key);
  if (value == nullptr) return otherwise;
  if (!value->is_string()) refuse(key, "a text", shortText(*value));
  return value->get<std::string>();
}

ConfigValues ConfigValues::object(const std::string& key) const {
  const Json* value = find(key);
  if (value == nullptr) return {m_file, Json::object()};
  if (!value->is_object()) refuse(key, "an object", shortText(*value));
  return {m_file, *value};
}

void ConfigValues::refuse(const std::string& key, const std::string& expected,
                          const std::string& found) const {
  const auto own = m_ownNames.find(key);
  throw InputError({m_file, own == m_ownNames.end() ? key : own->second, expected, found});
}

Json toJson(const ConfigDefaults& defaults) {
  Json json = Json::object();
  for (const auto& [key, value] : defaults)
    std::visit([&json, &name = key](const auto& held) { json[name] = held; }, value);
  return json;
}

std::string shortText(const Json& value) {
  return sanitized(canonicalJson(value));
}

}  // namespace plastiscope
