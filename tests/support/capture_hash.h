#pragma once
// The captures of tests/data carry zeros in the place of their settings hash, as a foreign writer might leave
// them; some tests need captures that know who they are.
#include <filesystem>
#include <string>

#include "core/base/files.h"
#include "core/base/hash.h"

namespace plastiscope::test {

// Gives the capture the settings hash of `seed`; false when it has no zeros to be replaced.
inline bool giveSettingsHash(const std::filesystem::path& capture, const std::string& seed) {
  std::string content = readFile(capture);
  const auto place = content.find(std::string(64, '0'), content.find("2026-01-01T00:00:00Z"));
  if (place == std::string::npos) return false;
  content.replace(place, 64, sha256Hex(seed));
  writeFileAtomically(capture, content);
  return true;
}

}  // namespace plastiscope::test
