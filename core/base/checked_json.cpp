#include "core/base/checked_json.h"

#include <cmath>

#include "core/base/error.h"
#include "core/base/foreign_text.h"
#include "core/base/json.h"

namespace plastiscope {

CheckedJson::CheckedJson(std::filesystem::path file, std::string place, const Json& object)
    : m_file(std::move(file)), m_place(std::move(place)), m_object(object) {
  if (!m_object->is_object())
    throw InputError({m_file, m_place, "a JSON object", std::string(m_object->type_name())});
}

const Json* CheckedJson::find(const char* key) const {
  const auto found = m_object->find(key);
  return found == m_object->end() || found->is_null() ? nullptr : &*found;
}

void CheckedJson::fail(const char* key, const std::string& expected) const {
  throw InputError({m_file, (m_place.empty() ? "" : m_place + ".") + key, expected,
                    sanitized(canonicalJson(m_object->at(key)), 80)});
}

std::optional<std::string> CheckedJson::text(const char* key) const {
  const Json* value = find(key);
  if (value == nullptr) return std::nullopt;
  if (!value->is_string() || value->get_ref<const std::string&>().find('\0') != std::string::npos)
    fail(key, "a text");
  return value->get<std::string>();
}

std::optional<std::int64_t> CheckedJson::integer(const char* key, std::int64_t least,
                                                 std::int64_t most) const {
  const Json* value = find(key);
  if (value == nullptr) return std::nullopt;
  const std::string expected = "an integer from " + std::to_string(least) + " to " + std::to_string(most);
  if (!value->is_number_integer() ||
      (value->is_number_unsigned() && value->get<std::uint64_t>() > static_cast<std::uint64_t>(INT64_MAX))) {
    fail(key, expected);
  }
  const auto number = value->get<std::int64_t>();
  if (number < least || number > most) fail(key, expected);
  return number;
}

std::optional<double> CheckedJson::number(const char* key) const {
  const Json* value = find(key);
  if (value == nullptr) return std::nullopt;
  if (!value->is_number() || !std::isfinite(value->get<double>())) fail(key, "a number");
  return value->get<double>();
}

std::optional<bool> CheckedJson::flag(const char* key) const {
  const Json* value = find(key);
  if (value == nullptr) return std::nullopt;
  if (!value->is_boolean()) fail(key, "true or false");
  return value->get<bool>();
}

std::optional<Json> CheckedJson::object(const char* key) const {
  const Json* value = find(key);
  if (value == nullptr) return std::nullopt;
  if (!value->is_object()) fail(key, "an object");
  return *value;
}

CheckedJson CheckedJson::part(const std::string& key) const {
  const Json* value = find(key.c_str());
  return {m_file, m_place.empty() ? key : m_place + "." + key, value == nullptr ? Json::object() : *value};
}

std::string textOr(const Json& object, const char* key, const std::string& otherwise) {
  const auto found = object.is_object() ? object.find(key) : object.end();
  return found != object.end() && found->is_string() ? found->get<std::string>() : otherwise;
}

double numberOr(const Json& object, const char* key, double otherwise) {
  const auto found = object.is_object() ? object.find(key) : object.end();
  return found != object.end() && found->is_number() ? found->get<double>() : otherwise;
}

}  // namespace plastiscope
