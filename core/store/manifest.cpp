#include "core/store/manifest.h"

#include <optional>

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/base/json.h"

namespace plastiscope {

namespace {

std::uint32_t crcOf(const Json& object) {
  const std::string text = canonicalJson(object);
  return crc32Of(std::as_bytes(std::span(text)));
}

// Nothing when the line is damaged. A unit name is a plain file name, so that nothing outside the folder is
// read.
std::optional<ManifestEntry> parseLine(std::string_view line) {
  try {
    Json object = parseJson(line, {});
    const auto stated = object.at("crc32").get<std::uint32_t>();
    object.erase("crc32");
    if (crcOf(object) != stated) return {};
    ManifestEntry entry{object.at("example"), object.at("unit"), object.at("bytes"), object.at("sha256"),
                        object.at("settings_hash")};
    if (entry.unit.empty() || entry.unit.find('/') != std::string::npos || entry.unit == "..") return {};
    return entry;
  } catch (const InputError&) {
    return {};
  } catch (const Json::exception&) {
    return {};
  }
}

}  // namespace

std::string manifestLine(const ManifestEntry& entry) {
  Json object = {{"example", entry.example},
                 {"unit", entry.unit},
                 {"bytes", entry.bytes},
                 {"sha256", entry.sha256},
                 {"settings_hash", entry.settingsHash}};
  object["crc32"] = crcOf(object);
  return canonicalJson(object);
}

Manifest readManifest(const std::filesystem::path& file) {
  Manifest manifest;
  if (!std::filesystem::exists(file)) return manifest;
  const std::string text = readFile(file);
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    const auto entry = parseLine(std::string_view(text).substr(start, end - start));
    if (entry) {
      manifest.entries[entry->example] = *entry;
    } else {
      ++manifest.damagedLines;
    }
    start = end + 1;
  }
  return manifest;
}

}  // namespace plastiscope
