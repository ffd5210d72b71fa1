#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace plastiscope {

// SHA-256 as 64 lower-case hex digits.
std::string sha256Hex(std::string_view bytes);

// The same over several pieces.
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  void add(std::span<const std::byte> bytes);
  void add(std::string_view text);
  std::string hex();  // ends the computation

 private:
  struct State;
  std::unique_ptr<State> m_state;
};

// BLAKE2b with an 8-byte digest, read as little-endian signed 64-bit; numbers text ids.
std::int64_t blake2bInt64(std::string_view text);

// CRC-32 (zlib's polynomial).
std::uint32_t crc32Of(std::span<const std::byte> bytes, std::uint32_t start = 0);

}  // namespace plastiscope
