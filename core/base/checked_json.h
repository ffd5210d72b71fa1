#pragma once
// Checked access to JSON from untrusted files.
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/joined.h"
#include "core/base/json_value.h"

namespace plastiscope {

// A JSON value with its file and its place in it. A value that is absent (or null) although required, of
// another type or out of range is an InputError that names file, place, expected and found.
class CheckedJson {
 public:
  CheckedJson();  // null, without a file
  // `ownNames`: names of entries as the file spells them, for messages.
  CheckedJson(Json value, std::filesystem::path file, std::string place = "",
              std::map<std::string, std::string> ownNames = {});

  const Json& json() const { return *m_value; }
  const std::filesystem::path& file() const;
  const std::string& place() const { return m_place; }

  // The value itself; `items` for a list.
  std::string asText() const;
  // `called`: replaces "a whole number from ... to ..." in messages.
  std::int64_t asInteger(std::int64_t least, std::int64_t most, const std::string& called = "") const;
  double asNumber(double least, double most) const;
  std::vector<CheckedJson> items() const;
  CheckedJson inside(const Json& part, std::string place) const;  // a part of the value, at `place`

  // Entries of an object. find: nullptr when absent or null, or when the value is not an object.
  const Json* find(const std::string& key) const;
  bool has(const std::string& key) const { return find(key) != nullptr; }
  CheckedJson child(const std::string& key) const;   // InputError when absent
  CheckedJson object(const std::string& key) const;  // an empty object when absent
  std::string text(const std::string& key) const;
  std::int64_t integer(const std::string& key, std::int64_t least, std::int64_t most) const;
  double number(const std::string& key, double least, double most) const;
  std::optional<std::string> findText(const std::string& key) const;  // refuses NUL characters
  std::optional<std::int64_t> findInteger(const std::string& key, std::int64_t least,
                                          std::int64_t most) const;
  std::optional<double> findNumber(const std::string& key) const;
  std::string textOr(const std::string& key, const std::string& otherwise) const;
  std::int64_t integerOr(const std::string& key, std::int64_t otherwise, std::int64_t least,
                         std::int64_t most) const;
  double numberOr(const std::string& key, double otherwise, double least, double most) const;
  bool flagOr(const std::string& key, bool otherwise) const;
  // Lists; true and false count as 1 and 0.
  std::vector<std::int64_t> integersOr(const std::string& key, std::vector<std::int64_t> otherwise,
                                       std::int64_t least, std::int64_t most) const;
  std::vector<std::string> textsOr(const std::string& key, std::vector<std::string> otherwise) const;

  // Throws InputError at this place or at an entry of it; `found` defaults to the value there.
  [[noreturn]] void refuse(const std::string& expected) const;
  [[noreturn]] void refuse(const std::string& expected, const std::string& found) const;
  [[noreturn]] void refuse(const std::string& key, const std::string& expected,
                           const std::string& found) const;
  // "expected one of A, B, C" for a list with `name` members.
  template <typename List>
  [[noreturn]] void refuseUnknown(const std::string& found, const List& known) const;

 private:
  struct Source;
  CheckedJson(std::shared_ptr<const Source> source, const Json& value, std::string place)
      : m_source(std::move(source)), m_value(&value), m_place(std::move(place)) {}
  CheckedJson entry(const std::string& key) const;  // kAbsent when missing

  std::shared_ptr<const Source> m_source;
  const Json* m_value;  // the source's value or a part of it
  std::string m_place;
};

// JSON text of a value for a message; long values are shortened.
std::string shortJson(const Json& value);

// The value of `key` if it has that type, else `otherwise` (also when `object` is not an object). For display
// only.
std::string textOr(const Json& object, const char* key, const std::string& otherwise = {});
double numberOr(const Json& object, const char* key, double otherwise);

template <typename List>
void CheckedJson::refuseUnknown(const std::string& found, const List& known) const {
  refuse("one of " + joined(known, [](const auto& entry) { return entry.name; }), found);
}

}  // namespace plastiscope
