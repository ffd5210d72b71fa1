#pragma once
// Tokens that stand for single bytes in vocabularies of characters: "<0x00>" ... "<0xFF>".
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace plastiscope {

using ByteTokens = std::array<std::int32_t, 256>;  // ids, -1 = none

std::string byteTokenText(unsigned char byte);
std::optional<unsigned char> byteOfToken(std::string_view text);

// What a token of such a vocabulary stands for: the byte of a byte token, spaces for U+2581.
std::string bytesOfCharacterToken(std::string_view text);

}  // namespace plastiscope
