#include "core/text/chars_map.h"

#include <cstring>

#include "core/base/error.h"
#include "core/text/tokenizer.h"
#include "core/text/utf8.h"

namespace plastiscope {

namespace {

constexpr std::size_t kLongestKey = 1024;

// Fields of a unit.
bool hasLeaf(std::uint32_t unit) {
  return (unit >> 8 & 1) != 0;
}
std::uint32_t valueOf(std::uint32_t unit) {
  return unit & 0x7FFFFFFFu;
}
std::uint32_t labelOf(std::uint32_t unit) {
  return unit & 0x800000FFu;
}
std::uint32_t offsetOf(std::uint32_t unit) {
  return (unit >> 10) << ((unit & 0x200u) >> 6);
}

bool isCharacterStart(std::string_view text, std::size_t position) {
  return position >= text.size() || !isUtf8Continuation(static_cast<unsigned char>(text[position]));
}

}  // namespace

CharsMap::CharsMap(std::string_view blob, const std::filesystem::path& file, const std::string& place) {
  std::uint32_t trieBytes = 0;
  if (blob.size() < sizeof trieBytes) throw InputError({file, place, "a trie", "too few bytes"});
  std::memcpy(&trieBytes, blob.data(), sizeof trieBytes);
  blob.remove_prefix(sizeof trieBytes);
  if (trieBytes == 0 || trieBytes % 4 != 0 || trieBytes >= blob.size()) {
    throw InputError(
        {file, place, "the size of a trie within " + byteText(blob.size()), byteText(trieBytes)});
  }
  m_units.resize(trieBytes / 4);
  std::memcpy(m_units.data(), blob.data(), trieBytes);
  m_results = blob.substr(trieBytes);
  std::int64_t invalid = 0;
  repairUtf8(m_results, &invalid);
  if (invalid > 0 || m_results.back() != '\0')
    throw InputError({file, place, "texts in UTF-8 that end with a zero byte", "others"});
}

template <typename Take>
void CharsMap::search(std::string_view text, Take take) const {
  if (m_units.empty()) return;
  text = text.substr(0, kLongestKey);  // a damaged trie may have cycles
  std::size_t node = offsetOf(m_units[0]);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    node ^= byte;
    if (node >= m_units.size() || labelOf(m_units[node]) != byte) return;
    const std::uint32_t unit = m_units[node];
    node ^= offsetOf(unit);
    if (node >= m_units.size()) return;
    if (!hasLeaf(unit)) continue;
    const std::size_t start = valueOf(m_units[node]);
    // Damaged rules that would cut characters are none.
    if (start >= m_results.size() || !isCharacterStart(m_results, start) || !isCharacterStart(text, i + 1))
      continue;
    const std::string_view rest = std::string_view(m_results).substr(start);
    if (!take(Rule{i + 1, rest.substr(0, rest.find('\0'))})) return;
  }
}

std::optional<CharsMap::Rule> CharsMap::longest(std::string_view text) const {
  std::optional<Rule> best;
  search(text, [&](Rule rule) {
    best = rule;
    return true;
  });
  return best;
}

std::optional<CharsMap::Rule> CharsMap::shortest(std::string_view text) const {
  std::optional<Rule> first;
  search(text, [&](Rule rule) {
    first = rule;
    return false;
  });
  return first;
}

}  // namespace plastiscope
