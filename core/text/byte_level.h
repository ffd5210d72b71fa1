#pragma once
// The byte-level alphabet (GPT-2): every byte has a printable character; vocabularies are written with them.
#include <optional>
#include <string>
#include <string_view>

namespace plastiscope {

// The bytes that `text` stands for; nothing when it holds a character outside the alphabet.
std::optional<std::string> bytesOfByteLevelText(std::string_view text);

// UTF-8 length of a byte's character, 1 or 2.
constexpr std::size_t byteLevelLength(unsigned char byte) {
  return byte > 0x20 && byte < 0x7F ? 1 : 2;
}

}  // namespace plastiscope
