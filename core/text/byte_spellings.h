#pragma once
// How vocabularies write bytes: in the byte-level alphabet, as byte tokens, in base64.
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace plastiscope {

// ---- The byte-level alphabet (GPT-2): every byte has a printable character; vocabularies are written with
// them.

// The bytes that `text` stands for; nothing when it holds a character outside the alphabet.
std::optional<std::string> bytesOfByteLevelText(std::string_view text);

// UTF-8 length of a byte's character, 1 or 2.
constexpr std::size_t byteLevelLength(unsigned char byte) {
  return byte > 0x20 && byte < 0x7F ? 1 : 2;
}

// ---- Tokens that stand for single bytes in vocabularies of characters: "<0x00>" ... "<0xFF>".

using ByteTokens = std::array<std::int32_t, 256>;  // ids, -1 = none

std::optional<unsigned char> byteOfToken(std::string_view text);

// What a token of such a vocabulary stands for: the byte of a byte token, spaces for U+2581.
std::string bytesOfCharacterToken(std::string_view text);

// Nothing when `text` is not base64 with padding.
std::optional<std::string> bytesOfBase64(std::string_view text);

}  // namespace plastiscope
