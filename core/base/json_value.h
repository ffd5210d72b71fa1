#pragma once
// Forward declaration and member type of JSON for headers, without its library. Code that builds or reads
// values includes core/base/json.h.
#include <concepts>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace plastiscope {

using Json = nlohmann::json;  // sorted keys make dump() canonical

// A JSON value as a member. Copies share an immutable value; changes replace it.
class JsonValue {
 public:
  JsonValue();                     // null
  template <std::same_as<Json> T>  // excludes initializer lists: {{"a", 1}} would become a list
  JsonValue(const T& value) : JsonValue(&value) {}
  JsonValue(const JsonValue&) = default;  // also used for moves, so that the value is never null
  JsonValue& operator=(const JsonValue&) = default;
  static JsonValue object();  // {}

  operator const Json&() const { return *m_value; }
  const Json& operator*() const { return *m_value; }
  const Json* operator->() const { return m_value.get(); }
  const Json& operator[](const std::string& key) const;  // of an object that has the key
  template <std::same_as<JsonValue> T>
  bool operator==(const T& other) const {
    return equals(other);
  }

  // One entry of an object.
  void set(const std::string& key, const Json& value);
  void erase(const std::string& key);

 private:
  explicit JsonValue(const Json* value);
  bool equals(const JsonValue& other) const;
  std::shared_ptr<const Json> m_value;
};

// Sorted keys, no spaces, UTF-8; settings hashes are computed from it.
std::string canonicalJson(const Json& value);

// One value per line, sorted keys, UTF-8. Paths and names should be stored as text (path_text.h); any byte
// that is not UTF-8 becomes U+FFFD, so that writing never fails.
std::string indentedJson(const Json& value, int indent = 2);

}  // namespace plastiscope
