#pragma once
// Reading JSON objects that somebody else wrote.
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "core/base/json_value.h"

namespace plastiscope {

// Checked reading of a JSON object that a stranger may have written. What is absent is nothing; what is of
// another kind or out of range is an InputError that names file and key.
class CheckedJson {
 public:
  CheckedJson() = default;
  CheckedJson(std::filesystem::path file, std::string place, const Json& object);
  std::optional<std::string> text(const char* key) const;
  std::optional<std::int64_t> integer(const char* key, std::int64_t least, std::int64_t most) const;
  std::optional<double> number(const char* key) const;
  std::optional<bool> flag(const char* key) const;
  std::optional<Json> object(const char* key) const;
  CheckedJson part(const std::string& key) const;  // an empty one when absent
  const Json& json() const { return m_object; }

 private:
  const Json* find(const char* key) const;
  [[noreturn]] void fail(const char* key, const std::string& expected) const;

  std::filesystem::path m_file;
  std::string m_place;
  JsonValue m_object = JsonValue::object();
};

// What stands under a key where it is of that kind, else `otherwise`; for what is shown, not relied upon. Of
// anything that is no object: `otherwise`.
std::string textOr(const Json& object, const char* key, const std::string& otherwise = {});
double numberOr(const Json& object, const char* key, double otherwise);

}  // namespace plastiscope
