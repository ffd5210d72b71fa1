#include "core/text/json_scan.h"

#include <algorithm>

#include "core/base/error.h"

namespace plastiscope {

namespace {

// Behind the closing quotation mark of a string that starts at `position`, or npos.
std::size_t stringEnd(std::string_view text, std::size_t position) {
  for (++position; position < text.size(); ++position) {
    if (text[position] == '\\') {
      ++position;
    } else if (text[position] == '"') {
      return position + 1;
    }
  }
  return std::string_view::npos;
}

// The value of a \uXXXX escape at the position, or -1.
int escapeAt(std::string_view text, std::size_t position) {
  if (position + 6 > text.size() || text[position] != '\\' || text[position + 1] != 'u') return -1;
  int value = 0;
  for (std::size_t i = position + 2; i < position + 6; ++i) {
    const char letter = static_cast<char>(text[i] | 0x20);
    if (text[i] >= '0' && text[i] <= '9') {
      value = value * 16 + (text[i] - '0');
    } else if (letter >= 'a' && letter <= 'f') {
      value = value * 16 + (letter - 'a' + 10);
    } else {
      return -1;
    }
  }
  return value;
}

bool isHigh(int value) {
  return value >= 0xD800 && value < 0xDC00;
}
bool isLow(int value) {
  return value >= 0xDC00 && value < 0xE000;
}

}  // namespace

JsonArrayScanner::JsonArrayScanner(std::string_view text, const std::filesystem::path& file)
    : m_text(text), m_file(file) {
  skipSpace();
  if (m_position == m_text.size()) refuse("a JSON array of objects", "an empty file");
  if (m_text[m_position] != '[')
    refuse("a JSON array of objects", "another JSON value; one object a line is .jsonl");
  ++m_position;
}

void JsonArrayScanner::refuse(const std::string& expected, const std::string& found) const {
  throw InputError({m_file, "line " + std::to_string(m_line), expected, found});
}

void JsonArrayScanner::skipSpace() {
  for (; m_position < m_text.size(); ++m_position) {
    const char letter = m_text[m_position];
    if (letter == '\n') ++m_line;
    if (letter != ' ' && letter != '\t' && letter != '\r' && letter != '\n') return;
  }
}

void JsonArrayScanner::toNextToken() {
  skipSpace();
  if (m_position == m_text.size()) refuse("the closing \"]\" of the array", "the end of the file");
}

std::size_t JsonArrayScanner::elementEnd() const {
  std::int64_t depth = 0;
  for (std::size_t position = m_position; position < m_text.size();) {
    const char letter = m_text[position];
    if (letter == '"') {
      position = stringEnd(m_text, position);
      if (position == std::string_view::npos) break;
      continue;
    }
    if (depth == 0 && (letter == ',' || letter == ']')) return position;
    if (letter == '{' || letter == '[') ++depth;
    if (letter == '}' || letter == ']') --depth;
    ++position;
  }
  refuse("the end of this array element", "the end of the file");
}

std::optional<JsonArrayScanner::Element> JsonArrayScanner::next() {
  toNextToken();
  const bool closed = m_text[m_position] == ']';
  if (!m_first && !closed) {  // an element always ends at "," or "]"
    ++m_position;
    toNextToken();
  }
  if (closed) {
    ++m_position;
    skipSpace();
    if (m_position < m_text.size()) refuse("the end of the file behind \"]\"", "more text");
    return std::nullopt;
  }
  m_first = false;
  const std::size_t end = elementEnd();
  const Element element{m_text.substr(m_position, end - m_position), m_line};
  m_line += std::ranges::count(element.bytes, '\n');
  m_position = end;
  return element;
}

std::int64_t replaceLoneSurrogates(std::string& json) {
  std::int64_t count = 0;
  for (std::size_t position = json.find('\\'); position != std::string::npos;
       position = json.find('\\', position)) {
    const int value = escapeAt(json, position);
    if (value < 0) {
      position += 2;
      continue;
    }
    const bool pair = isHigh(value) && isLow(escapeAt(json, position + 6));
    if (!pair && (isHigh(value) || isLow(value))) {
      json.replace(position, 6, "\\ufffd");
      ++count;
    }
    position += pair ? 12 : 6;
  }
  return count;
}

}  // namespace plastiscope
