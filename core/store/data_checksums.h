#pragma once
// Inside core/store only: the two checksums that a dataset carries, over its little-endian bytes in order
// (texts of variable length: their UTF-8 bytes, each ended by one zero byte).
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>

#include "core/base/hash.h"

namespace plastiscope {

class DataChecksums {
 public:
  // SHA-256 is optional because it is slower.
  explicit DataChecksums(bool withSha256 = true)
      : m_sha256(withSha256 ? std::make_unique<Sha256>() : nullptr) {}
  void add(std::span<const std::byte> bytes) {
    m_crc32 = crc32Of(bytes, m_crc32);
    if (m_sha256) m_sha256->add(bytes);
  }
  std::int64_t crc32() const { return m_crc32; }
  std::string sha256() { return m_sha256->hex(); }  // ends the computation

 private:
  std::uint32_t m_crc32 = 0;
  std::unique_ptr<Sha256> m_sha256;
};

// `texts`: by "PATH@NAME".
inline std::int64_t crc32OfTexts(const std::map<std::string, std::string>& texts) {
  DataChecksums checksum(false);
  for (const auto& [key, value] : texts) {
    checksum.add(std::as_bytes(std::span(key.c_str(), key.size() + 1)));
    checksum.add(std::as_bytes(std::span(value.c_str(), value.size() + 1)));
  }
  return checksum.crc32();
}

}  // namespace plastiscope
