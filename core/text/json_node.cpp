#include "core/text/json_node.h"

#include "core/base/error.h"
#include "core/base/foreign_text.h"
#include "core/base/json.h"

namespace plastiscope {

namespace {
constexpr std::size_t kLongestExpected = 1000;  // lists of known names
constexpr std::int64_t kMostJsonIds = 4'000'000;
}  // namespace

std::string shortJson(const Json& value) {
  if (value.is_structured() && value.size() > 50) return value.is_array() ? "a long list" : "a large object";
  const std::string text = canonicalJson(value);
  return sanitized(text);
}

void JsonNode::refuse(const std::string& expected, const std::string& found) const {
  throw InputError({*m_file, sanitized(m_place), sanitized(expected, kLongestExpected), sanitized(found)});
}

bool JsonNode::has(const std::string& key) const {
  return m_value->is_object() && m_value->contains(key) && !m_value->at(key).is_null();
}

JsonNode JsonNode::child(const std::string& key) const {
  if (!m_value->is_object()) refuse("an object", shortJson(*m_value));
  if (!has(key)) refuse("\"" + key + "\"", "no such entry");
  return {m_value->at(key), *m_file, m_place.empty() ? key : m_place + "." + key};
}

std::vector<JsonNode> JsonNode::items() const {
  if (!m_value->is_array()) refuse("a list", shortJson(*m_value));
  std::vector<JsonNode> result;
  result.reserve(m_value->size());
  for (const Json& item : *m_value)
    result.emplace_back(item, *m_file, m_place + "[" + std::to_string(result.size()) + "]");
  return result;
}

std::string JsonNode::asText() const {
  if (!m_value->is_string()) refuse("a text", shortJson(*m_value));
  return m_value->get<std::string>();
}

std::int32_t JsonNode::asId() const {
  const bool whole = m_value->is_number_unsigned() && m_value->get<std::uint64_t>() < kMostJsonIds;
  if (!whole) refuse("a token id", shortJson(*m_value));
  return m_value->get<std::int32_t>();
}

std::string JsonNode::text(const std::string& key) const {
  return child(key).asText();
}

std::string JsonNode::textOr(const std::string& key, const std::string& otherwise) const {
  return has(key) ? text(key) : otherwise;
}

bool JsonNode::flagOr(const std::string& key, bool otherwise) const {
  if (!has(key)) return otherwise;
  const JsonNode node = child(key);
  if (!node.value().is_boolean()) node.refuse("true or false", shortJson(node.value()));
  return node.value().get<bool>();
}

std::int32_t JsonNode::id(const std::string& key) const {
  return child(key).asId();
}

}  // namespace plastiscope
