#pragma once
// A part of the text to encode, perhaps changed by normalisers, that remembers where its bytes come from.
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/text/text_limits.h"

namespace plastiscope {

using ByteRange = std::pair<std::int64_t, std::int64_t>;      // [begin, end) in the whole original text
using SourceRange = std::pair<std::uint32_t, std::uint32_t>;  // the same, relative to AlignedText::begin()

// A character of a changed text and what became of the characters it was made from: 0 = it stands for one,
// +1 = it was added behind its predecessor, -n = it stands for one and n more were taken away.
struct CharChange {
  char32_t character;
  int balance;
};

class AlignedText {
 public:
  // Unchanged bytes of the original text, from its byte `begin` on. They must outlive this object.
  AlignedText(std::string_view bytes, std::int64_t begin) : m_unchanged(bytes), m_begin(begin) {}
  // Changed text: `sources` holds, for every byte of `text`, the range that its character comes from.
  AlignedText(std::string text, std::vector<SourceRange> sources, std::int64_t begin)
      : m_text(std::move(text)), m_sources(std::move(sources)), m_begin(begin), m_changed(true) {}

  std::string_view view() const { return m_changed ? std::string_view(m_text) : m_unchanged; }
  std::int64_t begin() const { return m_begin; }
  // What bytes [first, last) of view() come from: whole characters. `last` > `first`.
  ByteRange original(std::size_t first, std::size_t last) const;
  // Bytes [first, last) of this text as a text of their own, which must not outlive this one.
  AlignedText slice(std::size_t first, std::size_t last) const;
  // The source of the character that byte `position` belongs to.
  SourceRange source(std::size_t position) const;
  // The text that `changes` spell out, after the first `removed` characters were taken away.
  AlignedText changedTo(const std::vector<CharChange>& changes, std::size_t removed = 0) const;

 private:
  std::string_view m_unchanged;
  std::string m_text;
  std::vector<SourceRange> m_sources;
  std::int64_t m_begin;
  bool m_changed = false;
};

// Puts a changed text together from parts of another one and new bytes.
class AlignedBuilder {
 public:
  AlignedBuilder(const AlignedText& from, TextLimits& limits) : m_from(from), m_limits(limits) {}
  void keep(std::size_t first, std::size_t last);        // bytes [first, last) of the other text
  void add(std::string_view bytes, SourceRange source);  // TextOutgrown
  std::size_t size() const { return m_text.size(); }
  AlignedText finish() { return {std::move(m_text), std::move(m_sources), m_from.begin()}; }

 private:
  const AlignedText& m_from;
  TextLimits& m_limits;
  std::string m_text;
  std::vector<SourceRange> m_sources;
};

}  // namespace plastiscope
