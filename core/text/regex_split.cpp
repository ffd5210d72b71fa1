#include "core/text/regex_split.h"

#include <unicode/uchar.h>
#include <unicode/uscript.h>

#include <algorithm>
#include <array>
#include <cstdio>

#include "core/base/error.h"
#include "core/base/foreign_text.h"
#include "core/base/regex.h"
#include "core/text/unicode.h"

namespace plastiscope {

namespace onig {

namespace {

using Region = std::unique_ptr<OnigRegion, void (*)(OnigRegion*)>;
using MatchParam = std::unique_ptr<OnigMatchParam, decltype(&onig_free_match_param)>;

constexpr std::size_t kLongestPattern = 10'000;
// Steps back of a match. Most matches need few; only kMaxDearSearches per text may exceed the usual limit.
constexpr unsigned long kUsualSteps = 20'000, kMaxSteps = 10'000'000;
constexpr unsigned kMaxPending = 4'000'000;  // places to return to, about 48 bytes each
constexpr int kMaxDearSearches = 20;

MatchParam limitedTo(unsigned long steps) {
  MatchParam param(onig_new_match_param(), onig_free_match_param);
  onig_initialize_match_param(param.get());
  onig_set_retry_limit_in_match_of_match_param(param.get(), steps);
  onig_set_match_stack_limit_size_of_match_param(param.get(), kMaxPending);
  return param;
}

Region newRegion() {
  return {onig_region_new(), [](OnigRegion* region) { onig_region_free(region, 1); }};
}

// ---- Characters of newer Unicode versions

// Characters that charClass() knows but Oniguruma does not, ascending.
const std::vector<char32_t>& newerCharacters() {
  static const std::vector<char32_t> kNewer = [] {
    std::string all, problem;
    for (char32_t point = 0x80; point < 0x110000; ++point) {
      if (charClass(point) != CharClass::Other) appendUtf8(point, all);
    }
    const Regex unassigned = compileRegex("\\p{Cn}", ONIG_SYNTAX_ONIGURUMA, problem);
    const Region found = newRegion();
    std::vector<char32_t> newer;
    const OnigUChar *begin = regexBytes(all), *end = begin + all.size();
    for (std::size_t position = 0; onig_search(unassigned.get(), begin, end, begin + position, end,
                                               found.get(), ONIG_OPTION_NONE) >= 0;) {
      position = static_cast<std::size_t>(found->beg[0]);
      newer.push_back(nextCodePoint(all, position));
    }
    return newer;
  }();
  return kNewer;
}

bool isDecimalDigit(char32_t point) {
  const auto category = u_charType(static_cast<UChar32>(point));
  return category == U_DECIMAL_DIGIT_NUMBER || (category == U_UNASSIGNED && isNumber(point));
}

template <CharClass Wanted>
bool isOf(char32_t point) {
  return charClass(point) == Wanted;
}

struct Property {
  std::string_view name;
  bool (*holds)(char32_t point);
};
constexpr Property kProperties[] = {
    {"L", isLetter},
    {"Lu", isOf<CharClass::UpperLetter>},
    {"Ll", isOf<CharClass::LowerLetter>},
    {"Lt", isOf<CharClass::TitleLetter>},
    {"Lm", isOf<CharClass::ModifierLetter>},
    {"Lo", isOf<CharClass::OtherLetter>},
    {"M", isOf<CharClass::Mark>},
    {"N", isNumber},
    {"Nd", isDecimalDigit},
    {"P", isOf<CharClass::Punctuation>},
    {"S", isOf<CharClass::Symbol>},
};

std::string codeText(char32_t point) {
  std::array<char, 12> text{};
  std::snprintf(text.data(), text.size(), "\\x{%X}", static_cast<unsigned>(point));
  return text.data();
}

// The newer characters that satisfy `holds`, as ranges of a class.
template <typename Holds>
std::string newerOf(Holds holds) {
  std::string ranges;
  const std::vector<char32_t>& newer = newerCharacters();
  for (std::size_t i = 0; i < newer.size(); ++i) {
    if (!holds(newer[i])) continue;
    const std::size_t first = i;
    while (i + 1 < newer.size() && newer[i + 1] == newer[i] + 1 && holds(newer[i + 1])) ++i;
    ranges += codeText(newer[first]) + "-" + codeText(newer[i]);
  }
  return ranges;
}

// Planes 2 and 3 hold only ideographs, including some that ICU does not know yet.
bool isOfScript(char32_t point, std::int32_t script) {
  UErrorCode status = U_ZERO_ERROR;
  const bool ideograph = point >= 0x20000 && point < 0x40000;
  return (ideograph ? USCRIPT_HAN : uscript_getScript(static_cast<UChar32>(point), &status)) == script;
}

// Members of a class for a property.
std::string membersOf(const std::string& name) {
  const std::string known = "\\p{" + name + "}";
  const std::int32_t script = u_getPropertyValueEnum(UCHAR_SCRIPT, name.c_str());
  if (script != UCHAR_INVALID_CODE)
    return known + newerOf([&](char32_t point) { return isOfScript(point, script); });
  const auto property = std::ranges::find(kProperties, name, &Property::name);
  return property == std::end(kProperties) ? known : known + newerOf(property->holds);
}

// \w; outside a class it also matches some digits of Latin-1.
std::string wordMembers(bool inClass) {
  return "\\w" + newerOf(isWordCharacter) + (inClass ? "" : "\\x{B2}\\x{B3}\\x{B9}\\x{BC}-\\x{BE}");
}

// ---- the pattern

// Adds newer characters to the classes of a pattern. Throws a description of constructs that are refused.
class Extension {
 public:
  explicit Extension(std::string_view pattern) : m_in(pattern) {}

  std::string extended() {
    while (m_at < m_in.size()) {
      const char letter = m_in[m_at];
      if (letter == '\\') {
        escape();
      } else if (m_depth == 0 && startsWith("(")) {
        group();
      } else {
        if (letter == '[') ++m_depth;
        if (letter == ']' && m_depth > 0) --m_depth;
        if (startsWith("[]") || startsWith("[^]")) refuse("an empty class");
        copy(1);
      }
    }
    return std::move(m_out);
  }

 private:
  bool startsWith(std::string_view text) const { return m_in.substr(m_at).starts_with(text); }
  [[noreturn]] static void refuse(std::string_view construct) { throw "it holds " + std::string(construct); }

  void copy(std::size_t count) {
    m_out += m_in.substr(m_at, count);
    m_at += count;
  }

  // Writes a class in place of an escape of `length` bytes.
  void replace(std::size_t length, const std::string& members, bool negated) {
    m_out += (negated ? "[^" : "[") + members + "]";
    m_at += length;
  }

  void escape() {
    if (m_at + 1 >= m_in.size()) refuse("a backslash at the end");
    const char letter = m_in[m_at + 1];
    const bool inClass = m_depth > 0;
    constexpr std::string_view kSame = "rntfvaesSxu", kOutside = "AzZ123456789";
    const bool letterOrDigit = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
                               (letter >= '0' && letter <= '9');
    if (!letterOrDigit || kSame.find(letter) != std::string_view::npos ||
        (!inClass && kOutside.find(letter) != std::string_view::npos)) {
      copy(2);
    } else if (letter == 'p' || letter == 'P') {
      property();
    } else if (letter == 'd' || letter == 'D') {
      replace(2, membersOf("Nd"), letter == 'D');
    } else if (letter == 'w' || letter == 'W') {
      replace(2, wordMembers(inClass), letter == 'W');
    } else if (!inClass && (letter == 'b' || letter == 'B')) {
      boundary(letter == 'b');
    } else {
      refuse(m_in.substr(m_at, 2));
    }
  }

  void property() {
    const std::size_t end = m_in.find('}', m_at);
    if (m_in.substr(m_at + 2, 1) != "{" || end == std::string_view::npos) refuse("\\p without {NAME}");
    std::string_view name = m_in.substr(m_at + 3, end - m_at - 3);
    const bool caret = name.starts_with('^');
    if (caret) name.remove_prefix(1);
    replace(end + 1 - m_at, membersOf(std::string(name)), caret != (m_in[m_at + 1] == 'P'));
  }

  void boundary(bool edge) {
    const std::string is = "[" + wordMembers(false) + "]";
    m_out += "(?:(?<=" + is + ")(?" + (edge ? "!" : "=") + is + ")|(?<!" + is + ")(?" + (edge ? "=" : "!") +
             is + "))";
    m_at += 2;
  }

  void group() {
    if (startsWith("(*")) refuse("(*");
    if (!startsWith("(?")) return copy(1);
    for (const std::string_view known :
         {"(?:", "(?=", "(?!", "(?<=", "(?<!", "(?>", "(?i:", "(?i)", "(?-i:", "(?-i)"}) {
      if (startsWith(known)) return copy(known.size());
    }
    refuse(m_in.substr(m_at, 4));
  }

  std::string_view m_in;
  std::size_t m_at = 0;
  int m_depth = 0;  // of nested classes
  std::string m_out;
};

}  // namespace
}  // namespace onig

struct RegexSplitter::Compiled {
  Regex regex;
};

RegexSplitter::RegexSplitter(std::string pattern, std::filesystem::path file, std::string place)
    : m_pattern(std::move(pattern)), m_file(std::move(file)), m_place(std::move(place)) {
  if (m_pattern.size() > onig::kLongestPattern)
    refuse("it has more than " + withCommas(onig::kLongestPattern) + " bytes");
  std::string problem;
  try {
    const std::string extended = onig::Extension(m_pattern).extended();
    m_compiled.reset(new Compiled{compileRegex(extended, ONIG_SYNTAX_ONIGURUMA, problem)});
  } catch (const std::string& construct) {
    refuse(construct);
  }
  if (!m_compiled->regex) refuse(problem);
  refuseEmptyMatches();
}

RegexSplitter::~RegexSplitter() = default;

// Tries texts, as a pattern does not tell: what matches the empty text elsewhere is refused by scan().
void RegexSplitter::refuseEmptyMatches() const {
  std::string ascii;
  for (char letter = '\t'; letter < '\x7F'; ++letter) ascii += letter;
  const OnigUChar* begin = regexBytes(ascii);
  if (onig_match(m_compiled->regex.get(), begin, begin, begin, nullptr, ONIG_OPTION_NONE) >= 0)
    refuse("it matches the empty text");
  std::vector<Cut> cuts;
  TextLimits limits(ascii.size());
  scan(ascii, cuts, limits);
}

void RegexSplitter::refuse(const std::string& why) const {
  throw InputError({m_file, sanitized(m_place), "",
                    "the pattern \"" + sanitized(m_pattern) + "\" cannot be used: " + sanitized(why)});
}

void RegexSplitter::scan(std::string_view text, std::vector<Cut>& cuts, TextLimits& limits) const {
  // Oniguruma counts in its parameters, so that threads must not share them.
  static thread_local const onig::MatchParam kUsual = onig::limitedTo(onig::kUsualSteps);
  static thread_local const onig::MatchParam kDear = onig::limitedTo(onig::kMaxSteps);
  const onig::Region found = onig::newRegion();
  const OnigUChar *begin = regexBytes(text), *end = begin + text.size();
  std::size_t done = 0;
  int dear = 0;
  OnigOptionType options = ONIG_OPTION_CHECK_VALIDITY_OF_STRING;  // by the first search only
  const auto search = [&](const onig::MatchParam& param) {
    return onig_search_with_param(m_compiled->regex.get(), begin, end, begin + done, end, found.get(),
                                  options, param.get());
  };
  while (done < text.size()) {
    limits.step();
    int result = search(kUsual);
    if (result == ONIGERR_RETRY_LIMIT_IN_MATCH_OVER && ++dear <= onig::kMaxDearSearches)
      result = search(kDear);
    if (result == ONIG_MISMATCH) break;
    if (result < 0) refuse("its search in this text takes too many steps");
    const auto first = static_cast<std::size_t>(found->beg[0]),
               last = static_cast<std::size_t>(found->end[0]);
    if (last <= first) refuse("it matches the empty text");
    if (first > done) cuts.push_back({first, false});
    cuts.push_back({last, true});
    done = last;
    options = ONIG_OPTION_NONE;
  }
  if (done < text.size()) cuts.push_back({text.size(), false});
}

}  // namespace plastiscope
