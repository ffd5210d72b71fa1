#pragma once
// JSON by name and as a member, for headers: nothing here needs its library. Who builds or reads values
// includes core/base/json.h.
#include <concepts>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace plastiscope {

using Json = nlohmann::json;  // keys sorted, which makes dump() canonical

// A JSON value as a member. Copies share what they hold, which never changes: it is replaced as a whole.
class JsonValue {
 public:
  JsonValue();                     // null
  template <std::same_as<Json> T>  // not what Json itself is made of: {{"a", 1}} would be a list here
  JsonValue(const T& value) : JsonValue(&value) {}
  JsonValue(const JsonValue&) = default;  // moving copies, so that there always is a value
  JsonValue& operator=(const JsonValue&) = default;
  static JsonValue object();  // {}

  operator const Json&() const { return *m_value; }
  const Json& operator*() const { return *m_value; }
  const Json* operator->() const { return m_value.get(); }
  const Json& operator[](const std::string& key) const;  // of an object that has it
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

// Sorted keys, no spaces, UTF-8: what settings hashes are made of.
std::string canonicalJson(const Json& value);

// A line a value, keys sorted, UTF-8. Paths and names are put in as their text (path_text.h); a byte that
// still is no UTF-8 becomes U+FFFD, so that one bad name never keeps the rest from being written.
std::string indentedJson(const Json& value, int indent = 2);

}  // namespace plastiscope
