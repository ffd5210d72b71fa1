#include "core/text/normalizers.h"

#include <unicode/normalizer2.h>
#include <unicode/uchar.h>

#include <algorithm>
#include <optional>

#include "core/base/error.h"
#include "core/text/char_class.h"
#include "core/text/utf8.h"

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

}  // namespace plastiscope
