#include "core/text/precompiled_charsmap.h"

#include <unicode/brkiter.h>
#include <unicode/utext.h>

#include <cstring>

#include "core/base/error.h"
#include "core/text/tokenizer.h"
#include "core/text/utf8.h"

namespace plastiscope {

namespace {

constexpr std::size_t kLongestKey = 1024;

// Bit fields of a trie unit (darts-clone).
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

PrecompiledCharsmap::PrecompiledCharsmap(std::string_view blob, const std::filesystem::path& file,
                                         const std::string& place) {
  std::uint32_t trieBytes = 0;
  if (blob.size() < sizeof trieBytes) throw InputError({file, place, "a trie", byteText(blob.size())});
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
    throw InputError({file, place, "", "the replacements are not UTF-8 or do not end with a zero byte"});
}

template <typename Take>
void PrecompiledCharsmap::search(std::string_view text, Take take) const {
  if (m_units.empty()) return;
  text = text.substr(0, kLongestKey);  // bounds the search: a damaged trie may have cycles
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
    // Ignore damaged rules that would split a character.
    if (start >= m_results.size() || !isCharacterStart(m_results, start) || !isCharacterStart(text, i + 1))
      continue;
    const std::string_view rest = std::string_view(m_results).substr(start);
    if (!take(Rule{i + 1, rest.substr(0, rest.find('\0'))})) return;
  }
}

std::optional<PrecompiledCharsmap::Rule> PrecompiledCharsmap::longest(std::string_view text) const {
  std::optional<Rule> best;
  search(text, [&](Rule rule) {
    best = rule;
    return true;
  });
  return best;
}

std::optional<PrecompiledCharsmap::Rule> PrecompiledCharsmap::shortest(std::string_view text) const {
  std::optional<Rule> first;
  search(text, [&](Rule rule) {
    first = rule;
    return false;
  });
  return first;
}

namespace {

constexpr std::size_t kLongestCluster = 5;

// Ends of the grapheme clusters of a text.
class Clusters {
 public:
  explicit Clusters(std::string_view text) {
    UErrorCode status = U_ZERO_ERROR;
    m_breaks.reset(icu::BreakIterator::createCharacterInstance(icu::Locale::getRoot(), status));
    m_text = utext_openUTF8(nullptr, text.data(), static_cast<std::int64_t>(text.size()), &status);
    if (U_SUCCESS(status)) m_breaks->setText(m_text, status);
    if (U_FAILURE(status)) throw Error(ErrorKind::Internal, "ICU cannot find the characters of a text");
  }
  ~Clusters() { utext_close(m_text); }
  Clusters(const Clusters&) = delete;
  Clusters& operator=(const Clusters&) = delete;
  std::size_t next() { return static_cast<std::size_t>(m_breaks->next()); }

 private:
  std::unique_ptr<icu::BreakIterator> m_breaks;
  UText* m_text = nullptr;
};

int countCharacters(std::string_view text) {
  int count = 0;
  for (std::size_t position = 0; position < text.size(); ++count) nextCodePoint(text, position);
  return count;
}

// Replaces `old` by `result`: extra characters count as inserted, missing ones as removed after the last
// character, which may belong to an earlier replacement.
void replace(std::string_view old, std::string_view result, std::vector<CharChange>& changes,
             TextLimits& limits) {
  limits.step(changes.size() + result.size());
  const int more = countCharacters(result) - countCharacters(old);
  for (std::size_t position = 0; position < result.size();)
    changes.push_back({nextCodePoint(result, position), 0});
  for (std::size_t i = changes.size(); i > 0 && static_cast<int>(changes.size() - i) < more; --i)
    changes[i - 1].balance = 1;
  if (more < 0 && !changes.empty()) changes.back().balance += more;
}

class Precompiled {
 public:
  explicit Precompiled(PrecompiledCharsmap rules) : m_rules(std::move(rules)) {}

  AlignedText operator()(AlignedText text, TextLimits& limits) const {
    const std::string_view bytes = text.view();
    if (m_rules.empty() || bytes.empty()) return text;
    std::vector<CharChange> changes;
    changes.reserve(bytes.size());
    bool changed = false;
    Clusters clusters(bytes);
    for (std::size_t begin = 0; begin < bytes.size();) {
      const std::size_t end = clusters.next();
      limits.step(changes.size());
      changed = appendCluster(bytes.substr(begin, end - begin), changes, limits) || changed;
      begin = end;
    }
    return changed ? text.changedTo(changes) : text;
  }

 private:
  bool appendCluster(std::string_view cluster, std::vector<CharChange>& changes, TextLimits& limits) const {
    if (cluster.size() <= kLongestCluster) {
      if (const auto rule = m_rules.shortest(cluster)) {
        replace(cluster, rule->result, changes, limits);
        return true;
      }
    }
    bool changed = false;
    for (std::size_t position = 0; position < cluster.size();) {
      const std::size_t begin = position;
      const char32_t character = nextCodePoint(cluster, position);
      const std::string_view part = cluster.substr(begin, position - begin);
      if (const auto rule = m_rules.shortest(part)) {
        replace(part, rule->result, changes, limits);
        changed = true;
      } else {
        changes.push_back({character, 0});
      }
    }
    return changed;
  }

  PrecompiledCharsmap m_rules;
};

}  // namespace

Normalizer makePrecompiled(PrecompiledCharsmap rules) {
  return Precompiled(std::move(rules));
}

}  // namespace plastiscope
