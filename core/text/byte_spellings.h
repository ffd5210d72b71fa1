#pragma once
// Spellings of bytes in vocabularies: byte-level alphabet, byte tokens, base64.
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace plastiscope {

// ---- The byte-level alphabet (GPT-2), in which every byte has a printable character.

// The bytes written as `text`; nothing when a character is not in the alphabet.
std::optional<std::string> bytesOfByteLevelText(std::string_view text);

// UTF-8 length of the character of a byte, 1 or 2.
constexpr std::size_t byteLevelLength(unsigned char byte) {
  return byte > 0x20 && byte < 0x7F ? 1 : 2;
}

// ---- Tokens of single bytes in vocabularies of characters: "<0x00>" ... "<0xFF>".

using ByteTokens = std::array<std::int32_t, 256>;  // ids, -1 = none

std::optional<unsigned char> byteOfToken(std::string_view text);

// The bytes of a token of such a vocabulary: one byte for a byte token, spaces for U+2581.
std::string bytesOfCharacterToken(std::string_view text);

// Nothing when `text` is not base64 with padding.
std::optional<std::string> bytesOfBase64(std::string_view text);

}  // namespace plastiscope
