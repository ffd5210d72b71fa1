#pragma once
// The captures of tests/data have zeros as settings hash, as other programs might write; some tests need
// captures with a hash.
#include <filesystem>
#include <string>

#include "core/base/files.h"
#include "core/base/hash.h"

namespace plastiscope::test {

// Gives the capture the settings hash of `seed`; false when it has no zeros to replace.
inline bool giveSettingsHash(const std::filesystem::path& capture, const std::string& seed) {
  std::string content = readFile(capture);
  const auto place = content.find(std::string(64, '0'), content.find("2026-01-01T00:00:00Z"));
  if (place == std::string::npos) return false;
  content.replace(place, 64, sha256Hex(seed));
  writeFileAtomically(capture, content);
  return true;
}

}  // namespace plastiscope::test
