#include "core/base/path_text.h"

namespace plastiscope {

namespace {

constexpr char kDigits[] = "0123456789ABCDEF";
constexpr std::size_t kEscape = 4;  // \xHH

unsigned char byteAt(std::string_view text, std::size_t position) {
  return static_cast<unsigned char>(text[position]);
}

int digitAt(std::string_view text, std::size_t position) {
  const auto found = std::string_view(kDigits, 16).find(text[position]);
  return found == std::string_view::npos ? -1 : static_cast<int>(found);
}

// The byte that the escape at `position` stands for, or -1 when there is none.
int escapedByte(std::string_view text, std::size_t position) {
  if (text.size() - position < kEscape || text[position] != '\\' || text[position + 1] != 'x') return -1;
  const int high = digitAt(text, position + 2), low = digitAt(text, position + 3);
  const int byte = high < 0 || low < 0 ? -1 : high * 16 + low;
  return byte >= 0x80 || byte == '\\' ? byte : -1;
}

void appendEscape(unsigned char byte, std::string& text) {
  text += {'\\', 'x', kDigits[byte >> 4], kDigits[byte & 15]};
}

}  // namespace

std::size_t wellFormedLength(std::string_view text, std::size_t position, std::size_t& illFormed) {
  const unsigned char first = byteAt(text, position);
  illFormed = 1;
  if (first < 0x80) return 1;
  if (first < 0xC2 || first > 0xF4) return 0;
  const std::size_t length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  unsigned char least = 0x80, most = 0xBF;  // of the second byte
  if (first == 0xE0) least = 0xA0;
  if (first == 0xED) most = 0x9F;
  if (first == 0xF0) least = 0x90;
  if (first == 0xF4) most = 0x8F;
  for (std::size_t i = 1; i < length; ++i) {
    if (position + i >= text.size()) return 0;
    const unsigned char byte = byteAt(text, position + i);
    if (byte < least || byte > most) return 0;
    least = 0x80;
    most = 0xBF;
    illFormed = i + 1;
  }
  return length;
}

std::string textOfBytes(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size());
  for (std::size_t position = 0, unused = 0; position < bytes.size();) {
    const std::size_t length = wellFormedLength(bytes, position, unused);
    if (length == 0 || escapedByte(bytes, position) >= 0) {
      appendEscape(byteAt(bytes, position++), text);
    } else {
      text.append(bytes.substr(position, length));
      position += length;
    }
  }
  return text;
}

std::string bytesOfText(std::string_view text) {
  std::string bytes;
  bytes.reserve(text.size());
  for (std::size_t position = 0; position < text.size();) {
    const int escaped = escapedByte(text, position);
    bytes += escaped < 0 ? text[position] : static_cast<char>(escaped);
    position += escaped < 0 ? 1 : kEscape;
  }
  return bytes;
}

std::string pathText(const std::filesystem::path& path) {
  return textOfBytes(path.native());
}

std::filesystem::path pathOfText(std::string_view text) {
  return bytesOfText(text);
}

}  // namespace plastiscope
