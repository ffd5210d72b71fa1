#include "core/base/hash.h"

#include <blake2.h>
#include <libdeflate.h>
#include <openssl/evp.h>

#include <array>
#include <cstring>

#include "core/base/error.h"

namespace plastiscope {

struct Sha256::State {
  EVP_MD_CTX* context = EVP_MD_CTX_new();
  ~State() { EVP_MD_CTX_free(context); }
};

Sha256::Sha256() : m_state(std::make_unique<State>()) {
  if (m_state->context == nullptr || EVP_DigestInit_ex(m_state->context, EVP_sha256(), nullptr) != 1) {
    throw Error(ErrorKind::Internal, "SHA-256 is not available in this OpenSSL");
  }
}

Sha256::~Sha256() = default;

void Sha256::add(std::span<const std::byte> bytes) {
  EVP_DigestUpdate(m_state->context, bytes.data(), bytes.size());
}

void Sha256::add(std::string_view text) {
  add(std::as_bytes(std::span(text.data(), text.size())));
}

std::string Sha256::hex() {
  std::array<unsigned char, 32> digest{};
  EVP_DigestFinal_ex(m_state->context, digest.data(), nullptr);
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const unsigned char byte : digest) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

std::string sha256Hex(std::string_view bytes) {
  Sha256 hash;
  hash.add(bytes);
  return hash.hex();
}

std::int64_t blake2bInt64(std::string_view text) {
  std::array<std::uint8_t, 8> digest{};
  blake2b(digest.data(), text.data(), nullptr, digest.size(), text.size(), 0);
  std::uint64_t value = 0;
  for (int i = 7; i >= 0; --i) value = value << 8 | digest[i];
  return static_cast<std::int64_t>(value);
}

std::uint32_t crc32Of(std::span<const std::byte> bytes, std::uint32_t start) {
  return bytes.empty() ? start : libdeflate_crc32(start, bytes.data(), bytes.size());
}

}  // namespace plastiscope
