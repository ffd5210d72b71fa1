#pragma once
// A part of the text to encode, perhaps changed by normalisers, that remembers where its bytes come from.
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace plastiscope {

using ByteRange = std::pair<std::int64_t, std::int64_t>;  // [begin, end) in the whole original text

class AlignedText {
 public:
  // Unchanged bytes of the original text, from its byte `begin` on. They must outlive this object.
  AlignedText(std::string_view bytes, std::int64_t begin) : m_unchanged(bytes), m_begin(begin) {}
  // Changed text: `sources` holds, for every byte of `text`, the range that its character comes from,
  // relative to `begin`.
  AlignedText(std::string text, std::vector<std::pair<std::uint32_t, std::uint32_t>> sources,
              std::int64_t begin)
      : m_text(std::move(text)), m_sources(std::move(sources)), m_begin(begin), m_changed(true) {}

  std::string_view view() const { return m_changed ? std::string_view(m_text) : m_unchanged; }
  std::int64_t begin() const { return m_begin; }
  // What bytes [first, last) of view() come from: whole characters. `last` > `first`.
  ByteRange original(std::size_t first, std::size_t last) const;
  // Bytes [first, last) of this text as a text of their own, which must not outlive this one.
  AlignedText slice(std::size_t first, std::size_t last) const;
  // The source of the character that byte `position` belongs to, relative to begin().
  std::pair<std::uint32_t, std::uint32_t> source(std::size_t position) const;

 private:
  std::string_view m_unchanged;
  std::string m_text;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> m_sources;
  std::int64_t m_begin;
  bool m_changed = false;
};

}  // namespace plastiscope
