#pragma once
// Text to encode that may have been normalised, with the original range of each byte.
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/text/text_limits.h"

namespace plastiscope {

using ByteRange = std::pair<std::int64_t, std::int64_t>;      // [begin, end) in the whole original text
using SourceRange = std::pair<std::uint32_t, std::uint32_t>;  // the same, relative to AlignedText::begin()

// A character of a changed text and how it relates to the original characters: 0 = replaces one, +1 =
// inserted after its predecessor, -n = replaces one and n more are removed.
struct CharChange {
  char32_t character;
  int balance;
};

class AlignedText {
 public:
  // Unchanged original text from byte `begin` on. `bytes` must outlive this object.
  AlignedText(std::string_view bytes, std::int64_t begin) : m_unchanged(bytes), m_begin(begin) {}
  // Changed text: `sources` holds for each byte of `text` the original range of its character.
  AlignedText(std::string text, std::vector<SourceRange> sources, std::int64_t begin)
      : m_text(std::move(text)), m_sources(std::move(sources)), m_begin(begin), m_changed(true) {}

  std::string_view view() const { return m_changed ? std::string_view(m_text) : m_unchanged; }
  std::int64_t begin() const { return m_begin; }
  // The original range of bytes [first, last) of view(), extended to whole characters. `last` > `first`.
  ByteRange original(std::size_t first, std::size_t last) const;
  // Bytes [first, last) of this text, which must outlive the result.
  AlignedText slice(std::size_t first, std::size_t last) const;
  // The original range of the character that contains byte `position`.
  SourceRange source(std::size_t position) const;
  // The text described by `changes`, after its first `removed` characters are dropped.
  AlignedText changedTo(const std::vector<CharChange>& changes, std::size_t removed = 0) const;

 private:
  std::string_view m_unchanged;
  std::string m_text;
  std::vector<SourceRange> m_sources;
  std::int64_t m_begin;
  bool m_changed = false;
};

// Builds a changed text from parts of another one and new bytes.
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
