#pragma once
// Reading JSON that somebody else wrote.
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

// A value of a JSON file that knows where it stands. What is absent (or null) where it is needed, of another
// kind or out of range is an InputError that names file and place, what was expected and what was found.
class CheckedJson {
 public:
  CheckedJson();  // null, of no file
  // `ownNames`: what the file itself calls some of the entries, for messages.
  CheckedJson(Json value, std::filesystem::path file, std::string place = "",
              std::map<std::string, std::string> ownNames = {});

  const Json& json() const { return *m_value; }
  const std::filesystem::path& file() const;
  const std::string& place() const { return m_place; }

  // The value itself.
  std::string asText() const;
  // `called`: what messages call it, in place of "a whole number from ... to ...".
  std::int64_t asInteger(std::int64_t least, std::int64_t most, const std::string& called = "") const;
  double asNumber(double least, double most) const;
  std::vector<CheckedJson> items() const;                         // of a list
  CheckedJson inside(const Json& part, std::string place) const;  // a part of it, under a place of its own

  // Entries of an object. find: nullptr when absent or null, as in anything that is no object.
  const Json* find(const std::string& key) const;
  bool has(const std::string& key) const { return find(key) != nullptr; }
  CheckedJson child(const std::string& key) const;   // InputError when absent
  CheckedJson object(const std::string& key) const;  // an empty one when absent
  std::string text(const std::string& key) const;
  std::int64_t integer(const std::string& key, std::int64_t least, std::int64_t most) const;
  double number(const std::string& key, double least, double most) const;
  std::optional<std::string> findText(const std::string& key) const;  // without zero characters
  std::optional<std::int64_t> findInteger(const std::string& key, std::int64_t least,
                                          std::int64_t most) const;
  std::optional<double> findNumber(const std::string& key) const;
  std::string textOr(const std::string& key, const std::string& otherwise) const;
  std::int64_t integerOr(const std::string& key, std::int64_t otherwise, std::int64_t least,
                         std::int64_t most) const;
  double numberOr(const std::string& key, double otherwise, double least, double most) const;
  bool flagOr(const std::string& key, bool otherwise) const;
  // Lists; yes and no count as 1 and 0.
  std::vector<std::int64_t> integersOr(const std::string& key, std::vector<std::int64_t> otherwise,
                                       std::int64_t least, std::int64_t most) const;
  std::vector<std::string> textsOr(const std::string& key, std::vector<std::string> otherwise) const;

  // InputError at this place, or at that of an entry; `found` is the value that stands there unless given.
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
  CheckedJson entry(const std::string& key) const;  // kAbsent when there is none

  std::shared_ptr<const Source> m_source;
  const Json* m_value;  // the source's or a part of it
  std::string m_place;
};

// JSON text of a value in a message, cut when it is long.
std::string shortJson(const Json& value);

// What stands under a key where it is of that kind, else `otherwise`; for what is shown, not relied upon. Of
// anything that is no object: `otherwise`.
std::string textOr(const Json& object, const char* key, const std::string& otherwise = {});
double numberOr(const Json& object, const char* key, double otherwise);

template <typename List>
void CheckedJson::refuseUnknown(const std::string& found, const List& known) const {
  refuse("one of " + joined(known, [](const auto& entry) { return entry.name; }), found);
}

}  // namespace plastiscope
