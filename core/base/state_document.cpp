#include "core/base/state_document.h"

#include <span>

#include "core/base/hash.h"
#include "core/base/json.h"

namespace plastiscope {

std::uint32_t stateCheckSum(const Json& content) {
  const std::string text = canonicalJson(content);
  return crc32Of(std::as_bytes(std::span(text)));
}

std::string stateDocument(const std::string& format, int version, const Json& content) {
  nlohmann::ordered_json root = {{"format", format}, {"version", version}, {"crc32", stateCheckSum(content)}};
  root["content"] = content;
  const auto replaced = nlohmann::ordered_json::error_handler_t::replace;  // invalid bytes become U+FFFD
  return root.dump(1, ' ', false, replaced) + "\n";
}

}  // namespace plastiscope
