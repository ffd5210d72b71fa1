#include "core/text/byte_stream.h"

#include <algorithm>
#include <span>

#include "core/base/error.h"
#include "core/base/foreign_text.h"
#include "core/text/text_sniff.h"

namespace plastiscope {

namespace {

constexpr std::size_t kBlock = std::size_t{1} << 20;
constexpr std::size_t kLargestRecord = std::size_t{1} << 30;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

}  // namespace

ByteStream::ByteStream(const std::filesystem::path& file) : m_source(openBytes(file)) {
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
  const std::uint64_t left = m_source->size() - m_end;
  const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(left, std::max(kBlock, view().size())));
  if (size == 0) return false;
  m_buffer.erase(0, m_dropped);
  m_dropped = 0;
  const std::size_t before = m_buffer.size();
  m_buffer.resize(before + size);
  m_source->read(m_end, std::as_writable_bytes(std::span(m_buffer).subspan(before)));
  m_end += size;
  return true;
}

void ByteStream::drop(std::size_t bytes) {
  m_dropped += bytes;
}

std::string bytesAt(const std::filesystem::path& file, std::uint64_t offset, std::uint64_t size) {
  const auto source = openBytes(file);
  if (size > kLargestRecord || offset > source->size() || size > source->size() - offset)
    throw InputError({file, "byte " + std::to_string(offset), "", cutShort(source->size(), offset + size)});
  std::string bytes(static_cast<std::size_t>(size), '\0');
  source->read(offset, std::as_writable_bytes(std::span(bytes)));
  return bytes;
}

}  // namespace plastiscope
