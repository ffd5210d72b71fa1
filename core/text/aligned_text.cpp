#include "core/text/aligned_text.h"

#include "core/text/utf8.h"

namespace plastiscope {

std::pair<std::uint32_t, std::uint32_t> AlignedText::source(std::size_t position) const {
  if (m_changed) return m_sources[position];
  std::size_t start = position;
  while (start > 0 && isUtf8Continuation(static_cast<unsigned char>(m_unchanged[start]))) --start;
  const std::size_t end = start + utf8Length(static_cast<unsigned char>(m_unchanged[start]));
  return {static_cast<std::uint32_t>(start), static_cast<std::uint32_t>(end)};
}

ByteRange AlignedText::original(std::size_t first, std::size_t last) const {
  return {m_begin + source(first).first, m_begin + source(last - 1).second};
}

AlignedText AlignedText::slice(std::size_t first, std::size_t last) const {
  if (!m_changed)
    return {m_unchanged.substr(first, last - first), m_begin + static_cast<std::int64_t>(first)};
  const auto at = [&](std::size_t index) { return m_sources.begin() + static_cast<std::ptrdiff_t>(index); };
  return {m_text.substr(first, last - first), {at(first), at(last)}, m_begin};
}

}  // namespace plastiscope
