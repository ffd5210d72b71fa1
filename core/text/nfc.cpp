#include "core/text/nfc.h"

#include <unicode/normalizer2.h>

#include <algorithm>
#include <optional>

#include "core/base/error.h"
#include "core/text/utf8.h"

namespace plastiscope {

namespace {

// A character of the result and what became of the characters it was made from: 0 = it stands for one, +1 =
// it was added behind its predecessor, -n = it stands for one and n more were taken away.
struct Change {
  char32_t character;
  int balance;
};

const icu::Normalizer2& nfc() {
  UErrorCode status = U_ZERO_ERROR;
  const icu::Normalizer2* instance = icu::Normalizer2::getNFCInstance(status);
  if (U_FAILURE(status)) throw Error(ErrorKind::Internal, "ICU has no NFC data");
  return *instance;
}

void appendDecomposed(const icu::Normalizer2& form, char32_t character, std::vector<Change>& out) {
  icu::UnicodeString parts;
  if (!form.getDecomposition(static_cast<UChar32>(character), parts)) {
    out.push_back({character, 0});
    return;
  }
  for (std::int32_t i = 0; i < parts.length(); i = parts.moveIndex32(i, 1)) {
    out.push_back({static_cast<char32_t>(parts.char32At(i)), i == 0 ? 0 : 1});
  }
}

std::uint8_t combiningClass(const icu::Normalizer2& form, char32_t character) {
  return form.getCombiningClass(static_cast<UChar32>(character));
}

// Canonical decomposition with marks in canonical order.
std::vector<Change> decomposed(const icu::Normalizer2& form, std::string_view text) {
  std::vector<Change> out;
  out.reserve(text.size());
  for (std::size_t position = 0; position < text.size();) {
    appendDecomposed(form, nextCodePoint(text, position), out);
  }
  for (std::size_t i = 0; i < out.size();) {
    if (combiningClass(form, out[i].character) == 0) {
      ++i;
      continue;
    }
    std::size_t end = i;
    while (end < out.size() && combiningClass(form, out[end].character) != 0) ++end;
    std::stable_sort(out.begin() + static_cast<std::ptrdiff_t>(i),
                     out.begin() + static_cast<std::ptrdiff_t>(end), [&](const Change& a, const Change& b) {
                       return combiningClass(form, a.character) < combiningClass(form, b.character);
                     });
    i = end;
  }
  return out;
}

// Canonical composition (Unicode chapter 3.11): a character joins the last starter unless something between
// them blocks it.
std::vector<Change> composed(const icu::Normalizer2& form, const std::vector<Change>& in) {
  std::vector<Change> out;
  out.reserve(in.size());
  std::optional<std::size_t> starter;  // index in `out`
  int lastClass = -1;                  // of the last character behind the starter; -1 = none
  for (const Change& next : in) {
    const int nextClass = combiningClass(form, next.character);
    if (starter && lastClass < nextClass) {
      const UChar32 pair = form.composePair(static_cast<UChar32>(out[*starter].character),
                                            static_cast<UChar32>(next.character));
      if (pair >= 0) {
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

// Puts the result together; each new character takes the source of the old one at its place.
AlignedText realigned(const AlignedText& old, const std::vector<Change>& changes) {
  const std::string_view bytes = old.view();
  std::string text;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> sources;
  std::size_t position = 0;  // in the old text: behind what has been used
  for (const Change& change : changes) {
    std::pair<std::uint32_t, std::uint32_t> source{0, 0};
    if (change.balance > 0) {
      if (position > 0) source = old.source(position - 1);
    } else if (position < bytes.size()) {
      source = old.source(position);
      for (int used = 0; used <= -change.balance && position < bytes.size(); ++used) {
        position += utf8Length(static_cast<unsigned char>(bytes[position]));
      }
    }
    appendUtf8(change.character, text);
    sources.resize(text.size(), source);
  }
  return {std::move(text), std::move(sources), old.begin()};
}

}  // namespace

AlignedText normalizeNfc(AlignedText text) {
  const icu::Normalizer2& form = nfc();
  const std::string_view bytes = text.view();
  UErrorCode status = U_ZERO_ERROR;
  if (form.isNormalizedUTF8({bytes.data(), static_cast<std::int32_t>(bytes.size())}, status)) return text;
  return realigned(text, composed(form, decomposed(form, bytes)));
}

}  // namespace plastiscope
