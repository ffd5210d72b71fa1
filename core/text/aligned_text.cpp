#include "core/text/aligned_text.h"

#include <algorithm>

#include "core/text/unicode.h"

namespace plastiscope {

SourceRange AlignedText::source(std::size_t position) const {
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

AlignedText AlignedText::changedTo(const std::vector<CharChange>& changes, std::size_t removed) const {
  const std::string_view bytes = view();
  std::size_t position = 0;  // end of the part of this text used so far
  const auto skip = [&](std::size_t characters) {
    for (; characters > 0 && position < bytes.size(); --characters) nextCodePoint(bytes, position);
  };
  skip(removed);
  std::string text;
  std::vector<SourceRange> sources;
  text.reserve(bytes.size());
  sources.reserve(bytes.size());
  for (const CharChange& change : changes) {
    SourceRange from{0, 0};
    if (change.balance > 0) {
      if (position > 0) from = source(position - 1);
    } else if (position < bytes.size()) {
      from = source(position);
      skip(1 + static_cast<std::size_t>(-change.balance));
    }
    appendUtf8(change.character, text);
    sources.resize(text.size(), from);
  }
  return {std::move(text), std::move(sources), m_begin};
}

void AlignedBuilder::keep(std::size_t first, std::size_t last) {
  m_limits.step(m_text.size() + (last - first));
  const std::string_view bytes = m_from.view();
  m_text.append(bytes.substr(first, last - first));
  for (; first < last; ++first) m_sources.push_back(m_from.source(first));
}

void AlignedBuilder::add(std::string_view bytes, SourceRange source) {
  m_limits.step(m_text.size() + bytes.size());
  m_text.append(bytes);
  m_sources.resize(m_text.size(), source);
}

}  // namespace plastiscope
