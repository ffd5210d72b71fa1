#include "core/base/checked_json.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/error.h"
#include "core/base/foreign_text.h"
#include "core/base/json.h"

namespace plastiscope {

namespace {
constexpr std::size_t kLongestExpected = 1000;  // in bytes, for lists of known names
constexpr std::size_t kMaxItems = 1 << 16;      // of a list in a configuration
const Json kAbsent, kEmpty = Json::object();    // used for missing values
}  // namespace

struct CheckedJson::Source {
  Json value;
  std::filesystem::path file;
  std::map<std::string, std::string> ownNames;

  ~Source() { emptyJson(value); }
};

CheckedJson::CheckedJson() : CheckedJson(Json(), {}) {}

CheckedJson::CheckedJson(Json value, std::filesystem::path file, std::string place,
                         std::map<std::string, std::string> ownNames)
    : m_source(std::make_shared<const Source>(std::move(value), std::move(file), std::move(ownNames))),
      m_value(&m_source->value),
      m_place(std::move(place)) {}

const std::filesystem::path& CheckedJson::file() const {
  return m_source->file;
}

std::string CheckedJson::asText() const {
  if (!m_value->is_string()) refuse("a text");
  return m_value->get<std::string>();
}

std::int64_t CheckedJson::asInteger(std::int64_t least, std::int64_t most, const std::string& called) const {
  // Numbers beyond int64 are stored as floating point or unsigned; both would wrap.
  const bool huge =
      m_value->is_number_unsigned() && m_value->get<std::uint64_t>() > static_cast<std::uint64_t>(INT64_MAX);
  const bool fits = m_value->is_number_integer() && !huge && m_value->get<std::int64_t>() >= least &&
                    m_value->get<std::int64_t>() <= most;
  if (!fits) {
    refuse(called.empty() ? "a whole number from " + std::to_string(least) + " to " + std::to_string(most)
                          : called);
  }
  return m_value->get<std::int64_t>();
}

double CheckedJson::asNumber(double least, double most) const {
  const double number =
      m_value->is_number() ? m_value->get<double>() : std::numeric_limits<double>::quiet_NaN();
  if (number >= least && number <= most) return number;
  const bool any = least == std::numeric_limits<double>::lowest();
  refuse(any ? "a number" : "a number from " + Json(least).dump() + " to " + Json(most).dump());
}

std::vector<CheckedJson> CheckedJson::items() const {
  if (!m_value->is_array()) refuse("a list");
  std::vector<CheckedJson> result;
  result.reserve(m_value->size());
  for (const Json& item : *m_value)
    result.push_back(inside(item, m_place + "[" + std::to_string(result.size()) + "]"));
  return result;
}

CheckedJson CheckedJson::inside(const Json& part, std::string place) const {
  return {m_source, part, std::move(place)};
}

const Json* CheckedJson::find(const std::string& key) const {
  const auto found = m_value->find(key);
  return found == m_value->end() || found->is_null() ? nullptr : &*found;
}

CheckedJson CheckedJson::entry(const std::string& key) const {
  const Json* value = find(key);
  const auto own = m_source->ownNames.find(key);
  const std::string& name = own == m_source->ownNames.end() ? key : own->second;
  return inside(value == nullptr ? kAbsent : *value, m_place.empty() ? name : m_place + "." + name);
}

CheckedJson CheckedJson::child(const std::string& key) const {
  if (!m_value->is_object()) refuse("an object");
  if (!has(key)) refuse("\"" + key + "\"", "no such entry");
  return entry(key);
}

CheckedJson CheckedJson::object(const std::string& key) const {
  CheckedJson found = entry(key);
  if (found.m_value == &kAbsent) found.m_value = &kEmpty;
  if (!found.m_value->is_object()) found.refuse("an object");
  return found;
}

std::string CheckedJson::text(const std::string& key) const {
  return child(key).asText();
}

std::int64_t CheckedJson::integer(const std::string& key, std::int64_t least, std::int64_t most) const {
  return entry(key).asInteger(least, most);
}

double CheckedJson::number(const std::string& key, double least, double most) const {
  return entry(key).asNumber(least, most);
}

std::optional<std::string> CheckedJson::findText(const std::string& key) const {
  if (!has(key)) return std::nullopt;
  const std::string value = text(key);
  if (value.find('\0') != std::string::npos) entry(key).refuse("a text without zero characters");
  return value;
}

std::optional<std::int64_t> CheckedJson::findInteger(const std::string& key, std::int64_t least,
                                                     std::int64_t most) const {
  return has(key) ? std::optional(integer(key, least, most)) : std::nullopt;
}

std::optional<double> CheckedJson::findNumber(const std::string& key) const {
  using Limits = std::numeric_limits<double>;
  return has(key) ? std::optional(number(key, Limits::lowest(), Limits::max())) : std::nullopt;
}

std::string CheckedJson::textOr(const std::string& key, const std::string& otherwise) const {
  return has(key) ? text(key) : otherwise;
}

std::int64_t CheckedJson::integerOr(const std::string& key, std::int64_t otherwise, std::int64_t least,
                                    std::int64_t most) const {
  return has(key) ? integer(key, least, most) : otherwise;
}

double CheckedJson::numberOr(const std::string& key, double otherwise, double least, double most) const {
  return has(key) ? number(key, least, most) : otherwise;
}

bool CheckedJson::flagOr(const std::string& key, bool otherwise) const {
  const Json* value = find(key);
  if (value == nullptr) return otherwise;
  if (!value->is_boolean()) entry(key).refuse("true or false");
  return value->get<bool>();
}

std::vector<std::int64_t> CheckedJson::integersOr(const std::string& key, std::vector<std::int64_t> otherwise,
                                                  std::int64_t least, std::int64_t most) const {
  const Json* value = find(key);
  if (value == nullptr) return otherwise;
  if (!value->is_array() || value->size() > kMaxItems) entry(key).refuse("a list of numbers");
  std::vector<std::int64_t> numbers;
  for (const CheckedJson& item : entry(key).items()) {
    numbers.push_back(item.json().is_boolean() ? static_cast<std::int64_t>(item.json().get<bool>())
                                               : item.asInteger(least, most));
  }
  return numbers;
}

std::vector<std::string> CheckedJson::textsOr(const std::string& key,
                                              std::vector<std::string> otherwise) const {
  const Json* value = find(key);
  if (value == nullptr) return otherwise;
  const bool fits = value->is_array() && value->size() <= kMaxItems &&
                    std::ranges::all_of(*value, [](const Json& item) { return item.is_string(); });
  if (!fits) entry(key).refuse("a list of texts");
  return value->get<std::vector<std::string>>();
}

void CheckedJson::refuse(const std::string& expected) const {
  refuse(expected, m_value == &kAbsent ? "none" : shortJson(*m_value));
}

void CheckedJson::refuse(const std::string& expected, const std::string& found) const {
  throw InputError({file(), sanitized(m_place), sanitized(expected, kLongestExpected), sanitized(found)});
}

void CheckedJson::refuse(const std::string& key, const std::string& expected,
                         const std::string& found) const {
  entry(key).refuse(expected, found);
}

std::string shortJson(const Json& value) {
  if (value.is_number_float() && !std::isfinite(value.get<double>()))
    return std::isnan(value.get<double>()) ? "NaN" : value > 0 ? "Infinity" : "-Infinity";
  if (value.is_structured() && value.size() > 50) return value.is_array() ? "a long list" : "a large object";
  return sanitized(canonicalJson(value));
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
