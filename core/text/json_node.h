#pragma once
// A value inside a JSON file that knows where it stands, for messages that name the place.
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/json_value.h"

namespace plastiscope {

class JsonNode {
 public:
  // `value` and `file` must outlive the node.
  JsonNode(const Json& value, const std::filesystem::path& file, std::string place = "")
      : m_value(&value), m_file(&file), m_place(std::move(place)) {}

  const Json& value() const { return *m_value; }
  const std::filesystem::path& file() const { return *m_file; }
  const std::string& place() const { return m_place; }

  bool has(const std::string& key) const;        // present and not null
  JsonNode child(const std::string& key) const;  // InputError when absent or null
  std::vector<JsonNode> items() const;           // of an array
  std::string text(const std::string& key) const;
  std::string textOr(const std::string& key, const std::string& otherwise) const;  // also for null
  bool flagOr(const std::string& key, bool otherwise) const;
  std::int32_t id(const std::string& key) const;  // a token id
  std::string asText() const;
  std::int32_t asId() const;

  [[noreturn]] void refuse(const std::string& expected, const std::string& found) const;
  // "expected one of A, B, C" for a list with `name` members.
  template <typename List>
  [[noreturn]] void refuseUnknown(const std::string& found, const List& known) const;

 private:
  const Json* m_value;
  const std::filesystem::path* m_file;
  std::string m_place;
};

// JSON text of a value, cut when it is long.
std::string shortJson(const Json& value);

template <typename List>
void JsonNode::refuseUnknown(const std::string& found, const List& known) const {
  std::string names;
  for (const auto& entry : known) names += (names.empty() ? "" : ", ") + std::string(entry.name);
  refuse("one of " + names, found);
}

}  // namespace plastiscope
