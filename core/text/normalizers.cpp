#include "core/text/normalizers.h"

#include <unicode/brkiter.h>
#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/utext.h>

#include <algorithm>
#include <cstring>

#include "core/base/error.h"
#include "core/text/tokenizer.h"
#include "core/text/unicode.h"

namespace plastiscope {

namespace {

struct Match {
  std::size_t begin, end;
};

// `find(text, from)` returns the next match from a position on; begin == npos: none.
template <typename Find>
AlignedText replaced(AlignedText text, std::string_view content, TextLimits& limits, Find find) {
  const std::string_view bytes = text.view();
  Match match = find(bytes, 0);
  if (match.begin == std::string_view::npos) return text;
  AlignedBuilder result(text, limits);
  std::size_t done = 0;
  for (; match.begin != std::string_view::npos; match = find(bytes, done)) {
    result.keep(done, match.begin);
    result.add(content, text.source(match.end - 1));
    done = match.end;
  }
  result.keep(done, bytes.size());
  return result.finish();
}

}  // namespace

Normalizer makePrepend(std::string prefix) {
  return [prefix = std::move(prefix)](AlignedText text, TextLimits& limits) {
    if (text.view().empty() || prefix.empty()) return text;
    AlignedBuilder result(text, limits);
    result.add(prefix, text.source(0));
    result.keep(0, text.view().size());
    return result.finish();
  };
}

Normalizer makeReplace(std::string pattern, std::string content) {
  return [pattern = std::move(pattern), content = std::move(content)](AlignedText text, TextLimits& limits) {
    return replaced(std::move(text), content, limits, [&](std::string_view bytes, std::size_t from) {
      const std::size_t begin = bytes.find(pattern, from);
      return Match{begin, begin + pattern.size()};
    });
  };
}

Normalizer makeReplaceSpaceRuns(std::string content) {
  return [content = std::move(content)](AlignedText text, TextLimits& limits) {
    return replaced(std::move(text), content, limits, [](std::string_view bytes, std::size_t from) {
      const std::size_t begin = bytes.find("  ", from);
      if (begin == std::string_view::npos) return Match{begin, begin};
      const std::size_t end = bytes.find_first_not_of(' ', begin);
      return Match{begin, end == std::string_view::npos ? bytes.size() : end};
    });
  };
}

Normalizer makeStrip(bool left, bool right) {
  return [left, right](AlignedText text, TextLimits& /*limits*/) {
    const std::string_view bytes = text.view();
    std::size_t begin = 0, end = bytes.size();
    for (std::size_t next = begin; left && next < end && isWhitespace(nextCodePoint(bytes, next));)
      begin = next;
    while (right && end > begin) {
      const std::size_t start = previousCodePoint(bytes, end);
      std::size_t position = start;
      if (!isWhitespace(nextCodePoint(bytes, position))) break;
      end = start;
    }
    return begin == 0 && end == bytes.size() ? text : text.slice(begin, end);
  };
}

namespace {

constexpr std::uint8_t kKnownUnicode = 9;

// The reference library uses data of Unicode 9 and treats newer characters as starters without decomposition.
bool isYounger(char32_t character) {
  UVersionInfo age;
  u_charAge(static_cast<UChar32>(character), age);
  return age[0] > kKnownUnicode;
}

class NormalForm {
 public:
  NormalForm(const icu::Normalizer2& composing, const icu::Normalizer2& own, bool compose)
      : m_form(composing), m_quick(own), m_compose(compose) {}

  AlignedText operator()(AlignedText text, TextLimits& limits) const {
    const std::string_view bytes = text.view();
    UErrorCode status = U_ZERO_ERROR;
    if (m_quick.isNormalizedUTF8({bytes.data(), static_cast<std::int32_t>(bytes.size())}, status))
      return text;
    const std::vector<CharChange> changes = decomposed(bytes, limits);
    return text.changedTo(m_compose ? composed(changes, limits) : changes);
  }

 private:
  void appendDecomposed(char32_t character, std::vector<CharChange>& out) const;
  std::vector<CharChange> decomposed(std::string_view text, TextLimits& limits) const;
  std::vector<CharChange> composed(const std::vector<CharChange>& in, TextLimits& limits) const;
  int combiningClass(char32_t character) const {
    const std::uint8_t value = m_form.getCombiningClass(static_cast<UChar32>(character));
    return value != 0 && isYounger(character) ? 0 : value;
  }

  const icu::Normalizer2& m_form;   // composing form; its decompositions are used too
  const icu::Normalizer2& m_quick;  // requested form, for the check whether text is normalised
  bool m_compose;
};

void NormalForm::appendDecomposed(char32_t character, std::vector<CharChange>& out) const {
  icu::UnicodeString parts;
  if (character < 0x80 || !m_form.getDecomposition(static_cast<UChar32>(character), parts) ||
      isYounger(character)) {
    out.push_back({character, 0});
    return;
  }
  for (std::int32_t i = 0; i < parts.length(); i = parts.moveIndex32(i, 1)) {
    out.push_back({static_cast<char32_t>(parts.char32At(i)), i == 0 ? 0 : 1});
  }
}

// Decomposes and sorts marks into canonical order.
std::vector<CharChange> NormalForm::decomposed(std::string_view text, TextLimits& limits) const {
  std::vector<CharChange> out;
  out.reserve(text.size());
  for (std::size_t position = 0; position < text.size();) {
    limits.step(out.size());
    appendDecomposed(nextCodePoint(text, position), out);
  }
  for (std::size_t i = 0; i < out.size();) {
    if (out[i].character < 0x300 || combiningClass(out[i].character) == 0) {
      ++i;
      continue;
    }
    std::size_t end = i;
    while (end < out.size() && combiningClass(out[end].character) != 0) ++end;
    std::stable_sort(out.begin() + static_cast<std::ptrdiff_t>(i),
                     out.begin() + static_cast<std::ptrdiff_t>(end),
                     [&](const CharChange& a, const CharChange& b) {
                       return combiningClass(a.character) < combiningClass(b.character);
                     });
    i = end;
  }
  return out;
}

// Canonical composition (Unicode, section 3.11): a character combines with the last starter unless it is
// blocked by a character in between.
std::vector<CharChange> NormalForm::composed(const std::vector<CharChange>& in, TextLimits& limits) const {
  std::vector<CharChange> out;
  out.reserve(in.size());
  std::optional<std::size_t> starter;  // index in `out`
  int lastClass = -1;                  // combining class of the last character after the starter; -1 = none
  for (const CharChange& next : in) {
    limits.step();
    const int nextClass = next.character < 0x300 ? 0 : combiningClass(next.character);
    if (starter && lastClass < nextClass) {
      const UChar32 pair = m_form.composePair(static_cast<UChar32>(out[*starter].character),
                                              static_cast<UChar32>(next.character));
      if (pair >= 0 && !isYounger(static_cast<char32_t>(pair))) {
        out[*starter] = {static_cast<char32_t>(pair), out[*starter].balance + next.balance - 1};
        continue;
      }
    }
    out.push_back(next);
    if (nextClass == 0) {
      starter = out.size() - 1;
      lastClass = -1;
    } else {
      lastClass = nextClass;
    }
  }
  return out;
}

using Instance = const icu::Normalizer2* (*)(UErrorCode&);

struct NamedForm {
  std::string_view name;
  Instance composing, own;
  bool compose;
};
constexpr NamedForm kForms[] = {
    {"NFC", icu::Normalizer2::getNFCInstance, icu::Normalizer2::getNFCInstance, true},
    {"NFD", icu::Normalizer2::getNFCInstance, icu::Normalizer2::getNFDInstance, false},
    {"NFKC", icu::Normalizer2::getNFKCInstance, icu::Normalizer2::getNFKCInstance, true},
    {"NFKD", icu::Normalizer2::getNFKCInstance, icu::Normalizer2::getNFKDInstance, false},
};

}  // namespace

Normalizer makeNormalForm(std::string_view name) {
  UErrorCode status = U_ZERO_ERROR;
  const NamedForm& form = *std::ranges::find(kForms, name, &NamedForm::name);
  const icu::Normalizer2 *composing = form.composing(status), *own = form.own(status);
  if (U_FAILURE(status)) throw Error(ErrorKind::Internal, "ICU has no data for " + std::string(name));
  return NormalForm(*composing, *own, form.compose);
}

// ---- Precompiled

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
