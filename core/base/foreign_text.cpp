#include "core/base/foreign_text.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "core/base/error.h"
#include "core/base/parsed_number.h"
#include "core/base/path_text.h"

namespace plastiscope {

namespace {

// The code point of the two or three bytes at `position`.
unsigned codePointOf(std::string_view bytes) {
  unsigned value = static_cast<unsigned char>(bytes[0]) & (bytes.size() == 2 ? 0x1Fu : 0x0Fu);
  for (const char next : bytes.substr(1)) value = (value << 6) | (static_cast<unsigned char>(next) & 0x3Fu);
  return value;
}

// Control characters, line separators and bidirectional marks outside ASCII.
bool isUnsafe(unsigned codePoint) {
  return (codePoint >= 0x80 && codePoint < 0xA0) || codePoint == 0x061C || codePoint == 0x200E ||
         codePoint == 0x200F || (codePoint >= 0x2028 && codePoint <= 0x202E) ||
         (codePoint >= 0x2066 && codePoint <= 0x2069) || codePoint == 0xFEFF;
}

void appendSafe(std::string_view character, std::string& out) {
  const auto first = static_cast<unsigned char>(character[0]);
  char escape[8];
  if (character.size() == 1 && (first < ' ' || first > '~')) {
    std::snprintf(escape, sizeof escape, "\\x%02X", first);
  } else if ((character.size() == 2 || character.size() == 3) && isUnsafe(codePointOf(character))) {
    std::snprintf(escape, sizeof escape, "\\u%04X", codePointOf(character));
  } else {
    out += character;
    return;
  }
  out += escape;
}

std::string safe(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t position = 0, unused = 0; position < text.size();) {
    const std::size_t length = std::max<std::size_t>(1, wellFormedLength(text, position, unused));
    appendSafe(text.substr(position, length), out);
    position += length;
  }
  return out;
}

bool isContinuation(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0) == 0x80;
}

bool isFormula(std::string_view text) {
  if (text.empty() || std::string_view("=+-@\t\r").find(text.front()) == std::string_view::npos) return false;
  return !parsedNumber<double>(text.substr(text.front() == '+' ? 1 : 0));
}

// Apostrophes followed by text that a spreadsheet would read as a formula.
bool isMarkedFormula(std::string_view text) {
  return text.starts_with('\'') &&
         isFormula(text.substr(std::min(text.find_first_not_of('\''), text.size())));
}

}  // namespace

std::string sanitized(std::string_view text, std::size_t longest) {
  if (text.size() <= longest) return safe(text);
  std::size_t head = longest * 2 / 3, tail = text.size() - (longest - longest * 2 / 3);
  for (int i = 0; i < 3 && head > 0 && isContinuation(text[head]); ++i) --head;
  for (int i = 0; i < 3 && tail < text.size() && isContinuation(text[tail]); ++i) ++tail;
  return safe(text.substr(0, head)) + " ... (" + withCommas(tail - head) + " bytes left out) ... " +
         safe(text.substr(tail));
}

std::string csvField(std::string_view text) {
  std::string field(isFormula(text) || isMarkedFormula(text) ? "'" : "");
  field += text;
  if (field.find_first_of(",\"\r\n") == std::string::npos) return field;
  std::string out = "\"";
  for (const char c : field) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + "\"";
}

std::string_view withoutFormulaMark(std::string_view field) {
  return isMarkedFormula(field) ? field.substr(1) : field;
}

std::string cutShort(std::uint64_t bytes, std::uint64_t needed) {
  return "the file is cut short: it ends after " + withCommas(bytes) + " of at least " + withCommas(needed) +
         " bytes";
}

std::string numberText(double value) {
  if (std::isnan(value)) return "";
  char text[64];
  const auto result = std::to_chars(text, text + sizeof text, value);
  return {text, result.ptr};
}

}  // namespace plastiscope
