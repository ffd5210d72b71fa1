#include "core/base/json.h"

#include <set>
#include <vector>

#include "core/base/error.h"
#include "core/base/files.h"

namespace plastiscope {

namespace {

constexpr int kMaxDepth = 64;

// Watches nesting and keys while nlohmann's parser builds the value.
class Guard {
 public:
  Guard(const std::filesystem::path& file, bool refuseDuplicateKeys)
      : m_file(file), m_refuseDuplicateKeys(refuseDuplicateKeys) {}

  bool operator()(int depth, Json::parse_event_t event, Json& parsed) {
    if (depth > kMaxDepth) {
      throw InputError({m_file, "JSON", "nesting of at most " + std::to_string(kMaxDepth), "deeper nesting"});
    }
    if (!m_refuseDuplicateKeys) return true;
    if (event == Json::parse_event_t::object_start) {
      m_keys.emplace_back();
    } else if (event == Json::parse_event_t::object_end) {
      m_keys.pop_back();
    } else if (event == Json::parse_event_t::key) {
      const auto& key = parsed.get_ref<const std::string&>();
      if (!m_keys.back().insert(key).second) {
        throw InputError({m_file, "JSON key \"" + key + "\"", "every key once", "it stands twice"});
      }
    }
    return true;
  }

 private:
  const std::filesystem::path& m_file;
  bool m_refuseDuplicateKeys;
  std::vector<std::set<std::string>> m_keys;
};

}  // namespace

Json parseJson(std::string_view text, const std::filesystem::path& file, bool refuseDuplicateKeys) {
  const auto nul = text.find('\0');  // the parser would take it for the end of the text
  if (nul != std::string_view::npos) {
    throw InputError({file, "byte " + std::to_string(nul + 1), "", "this is not valid JSON: a NUL byte"});
  }
  Guard guard(file, refuseDuplicateKeys);
  try {
    return Json::parse(text, [&](int depth, Json::parse_event_t event, Json& parsed) {
      return guard(depth, event, parsed);
    });
  } catch (const Json::parse_error& error) {
    std::string what = error.what();
    const auto colon = what.rfind("] ");
    throw InputError(
        {file, "byte " + std::to_string(error.byte), "",
         "this is not valid JSON: " + (colon == std::string::npos ? what : what.substr(colon + 2))});
  }
}

Json readJsonFile(const std::filesystem::path& file, std::size_t maxBytes) {
  return parseJson(readFile(file, maxBytes), file);
}

std::string canonicalJson(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace plastiscope
