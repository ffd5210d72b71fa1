#include "core/base/json.h"

#include <set>
#include <vector>

#include "core/base/error.h"
#include "core/base/files.h"

namespace plastiscope {

namespace {

constexpr int kMaxDepth = 64;

// Looks at nesting, keys and grammar before the value is built: nlohmann's own callbacks while building take
// quadratic time in arrays of objects.
class Guard : public nlohmann::json_sax<Json> {
 public:
  Guard(const std::filesystem::path& file, bool refuseDuplicateKeys)
      : m_file(file), m_refuseDuplicateKeys(refuseDuplicateKeys) {}

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
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
    if (m_refuseDuplicateKeys && !m_keys.back().insert(key).second)
      throw InputError({m_file, "JSON key \"" + key + "\"", "every key once", "it stands twice"});
    return true;
  }
  bool parse_error(std::size_t byte, const std::string&, const nlohmann::detail::exception& error) override {
    const std::string what = error.what();
    const auto colon = what.rfind("] ");
    throw InputError(
        {m_file, "byte " + std::to_string(byte), "",
         "this is not valid JSON: " + (colon == std::string::npos ? what : what.substr(colon + 2))});
  }

 private:
  bool enter() {
    if (++m_depth <= kMaxDepth) return true;
    throw InputError({m_file, "JSON", "nesting of at most " + std::to_string(kMaxDepth), "deeper nesting"});
  }
  bool leave() {
    --m_depth;
    return true;
  }

  const std::filesystem::path& m_file;
  bool m_refuseDuplicateKeys;
  int m_depth = 0;
  std::vector<std::set<std::string>> m_keys;
};

}  // namespace

Json parseJson(std::string_view text, const std::filesystem::path& file, bool refuseDuplicateKeys) {
  const auto nul = text.find('\0');  // the parser would take it for the end of the text
  if (nul != std::string_view::npos) {
    throw InputError({file, "byte " + std::to_string(nul + 1), "", "this is not valid JSON: a NUL byte"});
  }
  Guard guard(file, refuseDuplicateKeys);
  Json::sax_parse(text, &guard);
  return Json::parse(text);
}

Json readJsonFile(const std::filesystem::path& file, std::size_t maxBytes) {
  return parseJson(readFile(file, maxBytes), file);
}

std::string canonicalJson(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace plastiscope
