#include "core/text/record_scan.h"

#include <algorithm>
#include <span>

#include "core/base/error.h"
#include "core/base/foreign_text.h"
#include "core/text/corpus_file.h"
#include "core/weights/tensor_directory.h"

namespace plastiscope {

namespace {

constexpr std::size_t kBlock = std::size_t{1} << 20;
constexpr std::size_t kLargestRecord = std::size_t{1} << 30;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

ByteReader readerOf(const std::filesystem::path& file) {
  const std::shared_ptr<const ByteSource> source = openBytes(file);
  if (file.extension() == ".gz" || file.extension() == ".zst") return openCompressed(file);
  return [source, next = std::uint64_t{0}](std::span<std::byte> out) mutable {
    const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(source->size() - next, out.size()));
    source->read(next, out.first(size));
    next += size;
    return size;
  };
}

}  // namespace

ByteStream::ByteStream(const std::filesystem::path& file) : m_file(file), m_read(readerOf(file)) {
  more();
  if (view().starts_with(kByteOrderMark)) drop(kByteOrderMark.size());
  const std::string encoding = foreignEncodingOf(view().substr(0, 4));
  if (!encoding.empty()) throw InputError({file, "", "UTF-8 text", encoding + ": convert it to UTF-8"});
}

bool ByteStream::more() {
  if (view().size() > kLargestRecord) {
    throw InputError({file(), "byte " + std::to_string(offset()),
                      "a record of at most " + byteText(kLargestRecord), "a longer one"});
  }
  m_buffer.erase(0, m_dropped);
  m_dropped = 0;
  const std::size_t before = m_buffer.size();
  m_buffer.resize(before + std::max(kBlock, before));
  const std::size_t size = m_read(std::as_writable_bytes(std::span(m_buffer).subspan(before)));
  m_buffer.resize(before + size);
  m_end += size;
  return size > 0;
}

void ByteStream::drop(std::size_t bytes) {
  m_dropped += bytes;
}

namespace {

// The value of a \uXXXX escape at `position`, or -1.
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

JsonArrayScanner::JsonArrayScanner(const std::filesystem::path& file) : m_stream(file) {
  skipSpace();
  if (m_position == m_stream.view().size()) refuse("a JSON array of objects", "an empty file");
  if (letter() != '[')
    refuse("a JSON array of objects", "another JSON value; use .jsonl for one object per line");
  ++m_position;
}

void JsonArrayScanner::refuse(const std::string& expected, const std::string& found) const {
  throw InputError({m_stream.file(), "line " + std::to_string(m_line), expected, found});
}

void JsonArrayScanner::refuseCut(const std::string& where) const {
  throw InputError({m_stream.file(), "line " + std::to_string(m_line), "",
                    "the file is cut short: it ends after " +
                        withCommas(static_cast<long long>(m_stream.offset() + m_stream.view().size())) +
                        " bytes, " + where});
}

void JsonArrayScanner::skipSpace() {
  while (true) {
    for (; m_position < m_stream.view().size(); ++m_position) {
      if (letter() == '\n') ++m_line;
      if (letter() != ' ' && letter() != '\t' && letter() != '\r' && letter() != '\n') return;
    }
    m_stream.drop(m_position);
    m_position = 0;
    if (!m_stream.more()) return;
  }
}

void JsonArrayScanner::toNextToken() {
  skipSpace();
  if (m_position == m_stream.view().size()) refuseCut("before the closing \"]\" of the array");
}

std::size_t JsonArrayScanner::elementEnd() {
  std::int64_t depth = 0;
  bool inString = false;
  std::size_t position = m_position;
  do {
    const std::string_view view = m_stream.view();
    for (; position < view.size(); ++position) {
      const char each = view[position];
      if (inString) {
        if (each == '\\') ++position;  // the escaped character may be in the next block
        inString = each != '"';
        continue;
      }
      if (depth == 0 && (each == ',' || each == ']')) return position;
      if (each == '{' || each == '[') ++depth;
      if (each == '}' || each == ']') --depth;
      inString = each == '"';
    }
  } while (m_stream.more());
  refuseCut("inside this element of the array");
}

std::optional<RawRecord> JsonArrayScanner::next() {
  toNextToken();
  const bool closed = letter() == ']';
  if (!m_first && !closed) {  // elementEnd() stops at "," or "]"
    ++m_position;
    toNextToken();
  }
  if (closed) {
    ++m_position;
    skipSpace();
    if (m_position < m_stream.view().size()) refuse("the end of the file behind \"]\"", "more text");
    return std::nullopt;
  }
  m_first = false;
  m_stream.drop(m_position);
  m_position = 0;
  m_position = elementEnd();
  const RawRecord element{m_stream.view().substr(0, m_position), m_stream.offset(), m_line};
  m_line += std::ranges::count(element.bytes, '\n');
  return element;
}

std::optional<RawRecord> JsonLineScanner::next() {
  while (true) {
    m_stream.drop(m_used);
    m_used = 0;
    std::size_t end = m_stream.view().find('\n');
    while (end == std::string_view::npos) {
      const std::size_t seen = m_stream.view().size();
      if (!m_stream.more()) break;
      end = m_stream.view().find('\n', seen);
    }
    const std::string_view view = m_stream.view();
    if (view.empty()) return std::nullopt;
    m_used = std::min(end, view.size() - 1) + 1;
    ++m_line;
    const std::string_view line = view.substr(0, std::min(end, view.size()));
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    return RawRecord{line, m_stream.offset(), m_line};
  }
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
