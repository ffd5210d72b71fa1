#pragma once
// The list of finished units: one JSON object a line, each with the CRC-32 of itself, appended after its unit
// is durable. A unit counts only when its line and its file agree.
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

namespace plastiscope {

struct ManifestEntry {
  std::int64_t example = 0;
  std::string unit;  // file name
  std::uint64_t bytes = 0;
  std::string sha256, settingsHash;
};

std::string manifestLine(const ManifestEntry& entry);

struct Manifest {
  std::map<std::int64_t, ManifestEntry> entries;  // by example; of two lines the later counts
  std::int64_t damagedLines = 0;                  // left out
};
// An absent file is an empty manifest. InputError when it cannot be read.
Manifest readManifest(const std::filesystem::path& file);

}  // namespace plastiscope
