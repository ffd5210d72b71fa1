#include "core/base/json.h"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/foreign_text.h"

namespace plastiscope {

namespace {

constexpr int kMaxDepth = 64;
// Approximate memory of a parsed text: per value (including reserve capacity of lists), additional per list,
// object or text, and per entry of an object.
constexpr std::size_t kValueBytes = 32, kOwnBytes = 48, kEntryBytes = 96;
constexpr std::size_t kMaxGrowth = 6, kAlways = std::size_t{256} << 20;

// Parse error: keyword in the library's message, our wording.
constexpr std::pair<std::string_view, const char*> kReasons[] = {
    {"UTF-8", "a byte that is not UTF-8 inside a text"},
    {"control character", "a control character inside a text"},
    {"invalid string", "an unknown escape inside a text"},
};

// Checks nesting, keys and grammar before the value is built: nlohmann's callbacks during building take
// quadratic time in arrays of objects.
class Guard : public nlohmann::json_sax<Json> {
 public:
  Guard(std::string_view text, const std::filesystem::path& file, bool refuseDuplicateKeys,
        std::int64_t firstLine)
      : m_text(text), m_file(file), m_refuseDuplicateKeys(refuseDuplicateKeys), m_firstLine(firstLine) {}

  bool null() override { return take(kValueBytes); }
  bool boolean(bool) override { return take(kValueBytes); }
  bool number_integer(number_integer_t) override { return take(kValueBytes); }
  bool number_unsigned(number_unsigned_t) override { return take(kValueBytes); }
  bool number_float(number_float_t, const string_t&) override { return take(kValueBytes); }
  bool string(string_t& text) override { return take(kValueBytes + kOwnBytes + text.size()); }
  bool binary(binary_t&) override { return true; }
  bool start_object(std::size_t) override {
    if (m_refuseDuplicateKeys) m_keys.emplace_back();
    return enter();
  }
  bool end_object() override {
    if (m_refuseDuplicateKeys) m_keys.pop_back();
    return leave();
  }
  bool start_array(std::size_t) override { return enter(); }
  bool end_array() override { return leave(); }
  bool key(string_t& key) override {
    take(kEntryBytes + key.size());
    if (m_refuseDuplicateKeys && !m_keys.back().insert(key).second)
      throw InputError({m_file, m_firstLine > 0 ? "line " + std::to_string(m_firstLine) : "", "",
                        "the JSON key \"" + sanitized(key) + "\" appears twice in one object"});
    return true;
  }
  bool parse_error(std::size_t byte, const std::string&, const nlohmann::detail::exception& error) override {
    throw InputError(
        {m_file,
         placeInText(m_text, std::min(byte - 1, m_text.size()), std::max<std::int64_t>(1, m_firstLine)), "",
         "this is not valid JSON: " + whatIsWrong(byte, error)});
  }

 private:
  bool take(std::size_t bytes) {
    m_bytes += bytes;
    if (m_bytes <= kMaxGrowth * m_text.size() + kAlways) return true;
    throw InputError({m_file, "JSON", "", "more values than a text of its size has"});
  }
  bool enter() {
    take(kValueBytes + kOwnBytes);
    if (++m_depth <= kMaxDepth) return true;
    throw InputError({m_file, "JSON", "nesting of at most " + std::to_string(kMaxDepth), "deeper nesting"});
  }
  bool leave() {
    --m_depth;
    return true;
  }

  // `byte` counts from 1.
  std::string whatIsWrong(std::size_t byte, const nlohmann::detail::exception& error) const {
    constexpr int kOutOfRange = 406;
    if (m_text.find_first_not_of(" \t\r\n") == std::string_view::npos) return "it is empty";
    if (byte > m_text.size()) return "it is cut short after " + withCommas(m_text.size()) + " bytes";
    if (error.id == kOutOfRange) return "the number is too large";
    const std::string_view said = error.what();
    const std::string_view reason = said.substr(0, said.find("last read"));  // followed by the text itself
    for (const auto& [theirs, ours] : kReasons) {
      if (reason.find(theirs) != std::string_view::npos) return ours;
    }
    return "unexpected \"" + sanitized(m_text.substr(byte - 1, 1)) + "\"";
  }

  std::string_view m_text;
  const std::filesystem::path& m_file;
  bool m_refuseDuplicateKeys;
  std::int64_t m_firstLine;  // line of the text in its file, from 1; 0 = the text is the whole file
  int m_depth = 0;
  std::size_t m_bytes = 0;  // estimated memory of the values
  std::vector<std::set<std::string>> m_keys;
};

// Numbers outside the JSON grammar that Python writes and reads, with substitutes of at most the same length
// used while parsing.
struct PythonNumber {
  std::string_view word, standIn;
  double value;
};
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr PythonNumber kPythonNumbers[] = {{"NaN", "\"\x7F\"", std::numeric_limits<double>::quiet_NaN()},
                                           {"-Infinity", "\"\x7F-\"", -kInfinity},
                                           {"Infinity", "\"\x7F+\"", kInfinity}};

// The text with these words replaced outside of strings, offsets unchanged; "" when it has none.
std::string withStandIns(std::string_view text) {
  std::string changed;
  bool inText = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '"') inText = !inText;
    if (inText && text[at] == '\\') ++at;
    if (inText || (text[at] != 'N' && text[at] != 'I' && text[at] != '-')) continue;
    for (const auto& [word, standIn, value] : kPythonNumbers) {
      if (!text.substr(at).starts_with(word)) continue;
      if (changed.empty()) changed = text;
      changed.replace(at, word.size(), std::string(standIn).append(word.size() - standIn.size(), ' '));
      at += word.size() - 1;
      break;
    }
  }
  return changed;
}

void putNumbersBack(Json& value) {
  if (value.is_structured()) {
    for (Json& each : value) putNumbersBack(each);
  } else if (value.is_string() && value.get_ref<const std::string&>().starts_with('\x7F')) {
    const std::string quoted = '"' + value.get<std::string>() + '"';
    for (const PythonNumber& number : kPythonNumbers)
      if (quoted == number.standIn) value = number.value;
  }
}

Json parse(std::string_view text, const std::filesystem::path& file, bool refuseDuplicateKeys,
           std::int64_t firstLine) {
  const auto nul = text.find('\0');  // the parser would stop there
  if (nul != std::string_view::npos) {
    throw InputError({file, placeInText(text, nul, std::max<std::int64_t>(1, firstLine)), "",
                      "this is not valid JSON: it holds a NUL byte"});
  }
  const std::string changed = withStandIns(text);
  if (!changed.empty()) text = changed;
  Guard guard(text, file, refuseDuplicateKeys, firstLine);
  Json::sax_parse(text, &guard);
  Json value = Json::parse(text);
  if (!changed.empty()) putNumbersBack(value);
  return value;
}

}  // namespace

JsonValue::JsonValue() {
  static const auto kNull = std::make_shared<const Json>();
  m_value = kNull;
}

JsonValue::JsonValue(const Json* value) : m_value(std::make_shared<const Json>(*value)) {}

JsonValue JsonValue::object() {
  return Json::object();
}

const Json& JsonValue::operator[](const std::string& key) const {
  return m_value->at(key);
}

void JsonValue::set(const std::string& key, const Json& value) {
  Json changed = *m_value;
  changed[key] = value;
  *this = changed;
}

void JsonValue::erase(const std::string& key) {
  Json changed = *m_value;
  changed.erase(key);
  *this = changed;
}

bool JsonValue::equals(const JsonValue& other) const {
  return *m_value == *other.m_value;
}

Json parseJson(std::string_view text, const std::filesystem::path& file, bool refuseDuplicateKeys) {
  return parse(text, file, refuseDuplicateKeys, 0);
}

Json parseJsonRecord(std::string_view text, const std::filesystem::path& file, std::int64_t line) {
  return parse(text, file, true, line);
}

Json readJsonFile(const std::filesystem::path& file, std::size_t maxBytes) {
  return parseJson(readFile(file, maxBytes), file);
}

std::string scriptText(std::string_view json) {
  std::string text;
  text.reserve(json.size());
  for (const char c : json) {
    if (c == '<')
      text += "\\u003c";
    else
      text += c;
  }
  return text;
}

void emptyJson(Json& value) noexcept {
  if (!value.is_structured()) return;
  for (Json& each : value) emptyJson(each);
  value.clear();
}

std::string placeInText(std::string_view text, std::size_t byte, std::int64_t firstLine) {
  const std::string_view before = text.substr(0, byte);
  const auto line = std::ranges::count(before, '\n') + firstLine;
  const std::size_t lineStart = before.rfind('\n') + 1;  // correct for npos too: npos + 1 == 0
  return "line " + std::to_string(line) + ", column " + std::to_string(byte - lineStart + 1);
}

std::string indentedJson(const Json& value, int indent) {
  return value.dump(indent, ' ', false, Json::error_handler_t::replace);
}

std::string canonicalJson(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace plastiscope
