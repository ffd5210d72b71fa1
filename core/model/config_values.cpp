#include "core/model/config_values.h"

#include "core/base/error.h"
#include "core/weights/printable.h"

namespace plastiscope {

const Json* ConfigValues::find(const std::string& key) const {
  for (const Json* values : {&m_values, &m_defaults}) {
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

void ConfigValues::refuse(const std::string& key, const std::string& expected,
                          const std::string& found) const {
  const auto own = m_ownNames.find(key);
  throw InputError({m_file, own == m_ownNames.end() ? key : own->second, expected, found});
}

std::string shortText(const Json& value) {
  return printable(canonicalJson(value));
}

}  // namespace plastiscope
