#include "core/weights/safetensors_header.h"

#include <algorithm>
#include <limits>
#include <set>

#include "core/base/error.h"
#include "core/base/foreign_text.h"
#include "core/base/json.h"

namespace plastiscope {

namespace {

constexpr std::size_t kMaxEntries = 500'000;  // tensors, or keys of one object; models have some thousands

// State of the parser. Objects: header > tensor entry or metadata. Arrays: shape, data_offsets of an entry.
enum class Place { Start, Header, Entry, Dtype, Shape, Offsets, Metadata, Done };

// Handler for nlohmann's SAX parser; refuses any unexpected event.
class HeaderEvents : public nlohmann::json_sax<Json> {
 public:
  explicit HeaderEvents(const std::filesystem::path& file) : m_file(file) {}
  std::vector<SafetensorsEntry> take() { return std::move(m_entries); }

  bool key(string_t& text) override {
    if (m_place == Place::Header) {
      m_key = text;
      return true;
    }
    if (!m_keys.insert(text).second) refuse("", "the key \"" + sanitized(text) + "\" appears twice");
    if (m_keys.size() > kMaxEntries) refuse("at most 500,000 keys in one object", "more");
    m_field = text;
    return true;
  }

  bool start_object(std::size_t) override {
    m_keys.clear();
    if (m_place == Place::Start) {
      m_place = Place::Header;
    } else if (m_place == Place::Header && m_key == "__metadata__") {
      if (m_hasMetadata) refuse("", "the key \"__metadata__\" appears twice");
      m_hasMetadata = true;
      m_place = Place::Metadata;
    } else if (m_place == Place::Header) {
      if (m_entries.size() >= kMaxEntries) refuse("at most 500,000 tensors", "more");
      m_entries.push_back({m_key, {}, nullptr, {}, 0, 0});
      m_offsetCount = 0;
      m_place = Place::Entry;
    } else {
      refuse(expectedHere(), "an object");
    }
    return true;
  }

  bool end_object() override {
    if (m_place == Place::Entry) {
      for (const char* field : {"dtype", "shape", "data_offsets"}) {
        if (!m_keys.contains(field)) refuse(std::string("\"") + field + "\"", "none");
      }
    }
    m_place = m_place == Place::Header ? Place::Done : Place::Header;
    return true;
  }

  bool start_array(std::size_t) override {
    if (m_place == Place::Entry && m_field == "shape") {
      m_place = Place::Shape;
    } else if (m_place == Place::Entry && m_field == "data_offsets") {
      m_place = Place::Offsets;
    } else {
      refuse(expectedHere(), "an array");
    }
    return true;
  }

  bool end_array() override {
    if (m_place == Place::Offsets && m_offsetCount != 2)
      refuse("two data_offsets", std::to_string(m_offsetCount));
    m_place = Place::Entry;
    return true;
  }

  bool string(string_t& text) override {
    if (m_place == Place::Metadata) return true;
    if (m_place != Place::Entry || m_field != "dtype")
      refuse(expectedHere(), "the text \"" + sanitized(text) + "\"");
    m_entries.back().format = formatOfSafetensors(text);
    if (text.empty()) refuse("a type of " + safetensorsTypeNames(), "\"\"");
    m_entries.back().dtype = text;
    return true;
  }

  bool number_unsigned(number_unsigned_t value) override {
    if (m_place == Place::Shape && value <= std::numeric_limits<std::int64_t>::max()) {
      m_entries.back().shape.push_back(static_cast<std::int64_t>(value));
    } else if (m_place == Place::Offsets && m_offsetCount < 2) {
      SafetensorsEntry& entry = m_entries.back();
      (m_offsetCount++ == 0 ? entry.begin : entry.end) = value;
    } else {
      refuse(expectedHere(), "the number " + std::to_string(value));
    }
    return true;
  }

  bool number_integer(number_integer_t value) override {
    refuse(expectedHere(), "the number " + (value == 0 ? std::string("-0") : std::to_string(value)));
  }
  bool number_float(number_float_t, const string_t& text) override {
    refuse(expectedHere(), "the number " + sanitized(text));
  }
  bool null() override { refuse(expectedHere(), "null"); }
  bool boolean(bool value) override { refuse(expectedHere(), value ? "true" : "false"); }
  bool binary(binary_t&) override { refuse(expectedHere(), "binary data"); }

  bool parse_error(std::size_t byte, const std::string&, const nlohmann::detail::exception&) override {
    throw InputError({m_file, "header, byte " + std::to_string(byte), "", "this is not valid JSON"});
  }

 private:
  [[noreturn]] void refuse(const std::string& expected, const std::string& found) const {
    const bool inside = m_place != Place::Start && m_place != Place::Done;
    throw InputError({m_file, inside ? "header, \"" + sanitized(m_key) + "\"" : "header", expected, found});
  }

  std::string expectedHere() const {
    switch (m_place) {
      case Place::Header:
        return "an object";
      case Place::Metadata:
        return "a text";
      case Place::Shape:
      case Place::Offsets:
        return "plain unsigned integers";
      case Place::Entry:
        break;
      default:
        return "a JSON object";
    }
    if (m_field == "dtype") return "a type name";
    if (m_field == "shape" || m_field == "data_offsets") return "a list of plain unsigned integers";
    return "only dtype, shape and data_offsets";
  }

  const std::filesystem::path& m_file;
  Place m_place = Place::Start;
  std::string m_key, m_field;    // of the header object, of the object inside
  std::set<std::string> m_keys;  // seen in the inner object
  int m_offsetCount = 0;
  bool m_hasMetadata = false;
  std::vector<SafetensorsEntry> m_entries;
};

void refuseTwoOfAName(const std::vector<SafetensorsEntry>& entries, const std::filesystem::path& file) {
  std::vector<std::string_view> names(entries.size());
  std::transform(entries.begin(), entries.end(), names.begin(),
                 [](const auto& entry) { return std::string_view(entry.name); });
  std::sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end());
  if (twice != names.end()) {
    throw InputError({file, "tensor " + sanitized(*twice), "", "this name appears twice"});
  }
}

}  // namespace

std::vector<SafetensorsEntry> parseSafetensorsHeader(std::string_view header,
                                                     const std::filesystem::path& file) {
  if (header.empty() || header.front() != '{')
    throw InputError({file, "header", "a JSON object", "\"" + sanitized(header.substr(0, 8)) + "\""});
  // The JSON library would stop at a NUL byte.
  if (header.find('\0') != std::string_view::npos)
    throw InputError({file, "header", "JSON text", "a NUL byte"});
  HeaderEvents events(file);
  Json::sax_parse(header, &events);  // throws at the first error
  std::vector<SafetensorsEntry> entries = events.take();
  refuseTwoOfAName(entries, file);
  return entries;
}

}  // namespace plastiscope
