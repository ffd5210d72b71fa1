#include "core/text/regex_split.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <unicode/uchar.h>
#include <unicode/uscript.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "core/base/error.h"
#include "core/base/foreign_text.h"
#include "core/text/unicode.h"

namespace plastiscope {

namespace pcre {

namespace {

constexpr std::size_t kLongestPattern = 10'000;
constexpr std::size_t kMaxListed = 64;  // classes of a pattern that are expanded to lists
// Steps per search. Most searches need few; only kMaxDearSearches per text may exceed the usual limit.
constexpr std::uint32_t kUsualSteps = 20'000, kMaxSteps = 10'000'000, kMaxDepth = 1'000'000;
constexpr std::uint32_t kMaxHeap = 1 << 18;  // KiB
constexpr int kMaxDearSearches = 20;

}  // namespace

template <auto Free>
struct FreedBy {
  template <typename Held>
  void operator()(Held* held) const {
    Free(held);
  }
};
using Code = std::unique_ptr<pcre2_code, FreedBy<pcre2_code_free>>;
using CompileContext = std::unique_ptr<pcre2_compile_context, FreedBy<pcre2_compile_context_free>>;
using MatchContext = std::unique_ptr<pcre2_match_context, FreedBy<pcre2_match_context_free>>;
using MatchData = std::unique_ptr<pcre2_match_data, FreedBy<pcre2_match_data_free>>;

namespace {

PCRE2_SPTR unitsOf(std::string_view text) {
  return reinterpret_cast<PCRE2_SPTR>(text.data());
}

// Null when the pattern is invalid; `problem` then holds PCRE2's message.
Code compiled(std::string_view pattern, std::string& problem) {
  const CompileContext context(pcre2_compile_context_create(nullptr));
  pcre2_set_newline(context.get(), PCRE2_NEWLINE_LF);
  int error = 0;
  std::size_t offset = 0;
  Code code(pcre2_compile(unitsOf(pattern), pattern.size(),
                          PCRE2_UTF | PCRE2_UCP | PCRE2_MULTILINE | PCRE2_NEVER_BACKSLASH_C, &error, &offset,
                          context.get()));
  if (!code) {
    std::array<PCRE2_UCHAR, 256> text{};
    pcre2_get_error_message(error, text.data(), text.size());
    problem = reinterpret_cast<const char*>(text.data());
  }
  return code;
}

MatchContext limitedTo(std::uint32_t steps) {
  MatchContext context(pcre2_match_context_create(nullptr));
  pcre2_set_match_limit(context.get(), steps);
  pcre2_set_depth_limit(context.get(), std::min(steps, kMaxDepth));
  pcre2_set_heap_limit(context.get(), kMaxHeap);
  return context;
}

// ---- Unicode

// Characters known to charClass() but not to PCRE2: from a newer Unicode version.
const std::vector<char32_t>& youngCharacters() {
  static const std::vector<char32_t> kYoung = [] {
    std::string all, problem;
    for (char32_t point = 0x80; point < 0x110000; ++point) {
      if (charClass(point) != CharClass::Other) appendUtf8(point, all);
    }
    const Code unassigned = compiled("\\p{Cn}", problem);
    const MatchData found(pcre2_match_data_create(1, nullptr));
    std::vector<char32_t> young;
    for (std::size_t position = 0; pcre2_match(unassigned.get(), unitsOf(all), all.size(), position,
                                               PCRE2_NO_UTF_CHECK, found.get(), nullptr) > 0;) {
      position = pcre2_get_ovector_pointer(found.get())[0];
      young.push_back(nextCodePoint(all, position));
    }
    return young;
  }();
  return kYoung;
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
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string digits;
  do digits.insert(digits.begin(), kDigits[point & 15]);
  while ((point >>= 4) > 0);
  return "\\x{" + digits + "}";
}

// The newer characters that satisfy `holds`, as ranges of a class.
template <typename Holds>
std::string youngOf(Holds holds) {
  std::string ranges;
  const std::vector<char32_t>& young = youngCharacters();
  for (std::size_t i = 0; i < young.size(); ++i) {
    if (!holds(young[i])) continue;
    const std::size_t first = i;
    while (i + 1 < young.size() && young[i + 1] == young[i] + 1 && holds(young[i + 1])) ++i;
    ranges += codeText(young[first]) + "-" + codeText(young[i]);
  }
  return ranges;
}

// Planes 2 and 3 hold only ideographs, including some that ICU does not know yet.
bool isOfScript(char32_t point, std::int32_t script) {
  UErrorCode status = U_ZERO_ERROR;
  const bool ideograph = point >= 0x20000 && point < 0x40000;
  return (ideograph ? USCRIPT_HAN : uscript_getScript(static_cast<UChar32>(point), &status)) == script;
}

// The characters matched by a one-character pattern, as ranges of a class.
std::string listOf(const std::string& matcher) {
  static const std::string kAll = [] {
    std::string all;
    for (char32_t point = 0; point < 0x110000; ++point) {
      if (point < 0xD800 || point > 0xDFFF) appendUtf8(point, all);
    }
    return all;
  }();
  std::string ranges, problem;
  const Code runs = compiled("(?:" + matcher + ")++", problem);  // kAll is ordered, so each match is a range
  if (!runs) throw problem;
  pcre2_jit_compile(runs.get(), PCRE2_JIT_COMPLETE);  // if available; the result is the same
  const MatchData found(pcre2_match_data_create(1, nullptr));
  std::size_t end = 0;
  while (pcre2_match(runs.get(), unitsOf(kAll), kAll.size(), end, PCRE2_NO_UTF_CHECK, found.get(), nullptr) >
         0) {
    std::size_t first = pcre2_get_ovector_pointer(found.get())[0];
    end = pcre2_get_ovector_pointer(found.get())[1];
    std::size_t last = previousCodePoint(kAll, end);
    const std::string from = codeText(nextCodePoint(kAll, first));
    ranges += from + "-" + codeText(nextCodePoint(kAll, last));
  }
  if (ranges.empty()) throw std::string("it holds a class without members");
  return ranges;
}

// Members of a class for a property.
std::string membersOf(const std::string& name) {
  const std::int32_t script = u_getPropertyValueEnum(UCHAR_SCRIPT, name.c_str());
  if (script != UCHAR_INVALID_CODE)  // a bare script would include Script_Extensions in PCRE2
    return "\\p{sc:" + name + "}" + youngOf([&](char32_t point) { return isOfScript(point, script); });
  const auto known = std::ranges::find(kProperties, name, &Property::name);
  return "\\p{" + name + "}" + (known == std::end(kProperties) ? "" : youngOf(known->holds));
}

// \w; outside a class it also matches some digits of Latin-1.
std::string wordMembers(bool inClass) {
  return "\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}" + youngOf(isWordCharacter) +
         (inClass ? "" : "\\x{B2}\\x{B3}\\x{B9}\\x{BC}-\\x{BE}");
}

// ---- the pattern

// Translates a pattern from Oniguruma to PCRE2. Throws a description of constructs that are refused.
class Translator {
 public:
  explicit Translator(std::string_view pattern) : m_in(pattern) {}

  std::string translated() {
    while (m_at < m_in.size()) {
      const char letter = m_in[m_at];
      if (letter == '\\') {
        escape(false);
      } else if (letter == '[') {
        m_out += readClass();
      } else if (letter == '(') {
        group();
      } else if (letter == '{') {
        braces();
      } else {
        m_out += letter;
        ++m_at;
      }
    }
    return std::move(m_out);
  }

 private:
  bool startsWith(std::string_view text) const { return m_in.substr(m_at).starts_with(text); }
  [[noreturn]] static void refuse(std::string_view construct) { throw "it holds " + std::string(construct); }

  void take(std::size_t count) {
    m_out += m_in.substr(m_at, count);
    m_at += count;
  }

  // Writes a set in place of an escape.
  void put(const std::string& members, bool negated, bool inClass, std::string_view construct) {
    if (inClass && negated) refuse("a negated " + std::string(construct) + " inside a class");
    m_out += inClass ? members : (negated ? "[^" : "[") + members + "]";
  }

  void escape(bool inClass) {
    if (m_at + 1 >= m_in.size()) refuse("a backslash at the end");
    const std::string construct(m_in.substr(m_at, 2));
    const char letter = m_in[m_at + 1];
    constexpr std::string_view kSame = "rntfvae";
    const bool letterOrDigit = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
                               (letter >= '0' && letter <= '9');
    if (!letterOrDigit || kSame.find(letter) != std::string_view::npos) return take(2);
    if (letter == 'p' || letter == 'P') return property(inClass);
    if (letter == 'x' && m_in.substr(m_at + 2, 1) == "{") return take(3);
    if (letter == 'u') return unicodeEscape();
    const bool outside = !inClass;
    if (outside && (letter == 'A' || letter == 'z' || letter == 'Z' || (letter >= '1' && letter <= '9')))
      return take(2);
    m_at += 2;
    if (letter == 's' || letter == 'S') {
      m_out += letter == 's' ? "\\p{White_Space}" : "\\P{White_Space}";
      return;
    }
    if (letter == 'd' || letter == 'D') return put(membersOf("Nd"), letter == 'D', inClass, construct);
    if (letter == 'w' || letter == 'W') return put(wordMembers(inClass), letter == 'W', inClass, construct);
    if (outside && (letter == 'b' || letter == 'B')) {
      const std::string word = wordMembers(false), is = "[" + word + "]", isNot = "[^" + word + "]";
      const bool edge = letter == 'b';
      m_out += "(?:(?<=" + is + ")(?" + (edge ? "!" : "=") + is + ")|(?<!" + is + ")(?" + (edge ? "=" : "!") +
               is + "))";
      return;
    }
    refuse(construct);
  }

  void property(bool inClass) {
    const std::size_t end = m_in.find('}', m_at);
    if (m_in.substr(m_at + 2, 1) != "{" || end == std::string_view::npos) refuse("\\p without {NAME}");
    std::string_view name = m_in.substr(m_at + 3, end - m_at - 3);
    bool negated = m_in[m_at + 1] == 'P';
    if (name.starts_with('^')) {
      negated = !negated;
      name.remove_prefix(1);
    }
    const std::string construct(m_in.substr(m_at, end + 1 - m_at));
    m_at = end + 1;
    put(membersOf(std::string(name)), negated, inClass, construct);
  }

  void unicodeEscape() {
    const std::string_view digits = m_in.substr(m_at + 2, 4);
    constexpr std::string_view kHex = "0123456789abcdefABCDEF";
    if (digits.size() != 4 || digits.find_first_not_of(kHex) != std::string_view::npos)
      refuse("\\u without four digits");
    m_out += "\\x{" + std::string(digits) + "}";
    m_at += 6;
  }

  // Expands each class once, even if the pattern repeats it.
  const std::string& listed(const std::string& matcher) {
    if (const auto known = m_lists.find(matcher); known != m_lists.end()) return known->second;
    if (m_lists.size() == kMaxListed)
      refuse("more than " + std::to_string(kMaxListed) + " different nested or intersected classes");
    return m_lists.emplace(matcher, listOf(matcher)).first->second;
  }

  // PCRE2 supports neither nested classes nor intersections: both are expanded to lists of members.
  std::string readClass() {
    ++m_at;
    const bool negated = startsWith("^");
    if (negated) ++m_at;
    if (startsWith("]")) refuse("an empty class");
    const std::string outside = std::exchange(m_out, "");
    std::string others;  // lookaheads for the other operands of &&
    while (!startsWith("]")) {
      if (m_at >= m_in.size()) refuse("a class without its end");
      if (startsWith("[:")) refuse("a class with a name");
      if (startsWith("&&")) {
        if (m_out.empty()) refuse("an empty part of a class");
        m_at += 2;
        others += "(?=[" + std::exchange(m_out, "") + "])";
      } else if (startsWith("[")) {
        const std::string inner = readClass();
        const bool list = !inner.starts_with("[^") && !inner.starts_with("[-");
        m_out += list ? inner.substr(1, inner.size() - 2) : listed(inner);
      } else if (startsWith("\\")) {
        escape(true);
      } else {
        take(1);
      }
    }
    ++m_at;
    if (m_out.empty()) refuse("an empty part of a class");
    const std::string members = std::exchange(m_out, outside);
    return (negated ? "[^" : "[") + (others.empty() ? members : listed(others + "[" + members + "]")) + "]";
  }

  void group() {
    if (startsWith("(*")) refuse("(*");
    if (!startsWith("(?")) return take(1);
    for (const std::string_view known :
         {"(?:", "(?=", "(?!", "(?<=", "(?<!", "(?>", "(?i:", "(?i)", "(?-i:", "(?-i)"}) {
      if (startsWith(known)) return take(known.size());
    }
    refuse(m_in.substr(m_at, 4));
  }

  // {n}, {n,} and {n,m}. Refuses + after a count and ? after {n}, which Oniguruma reads differently.
  void braces() {
    std::size_t end = m_in.find_first_not_of("0123456789,", m_at + 1);
    const bool isCount = end != std::string_view::npos && m_in[end] == '}' && end > m_at + 1;
    if (!isCount) return take(1);
    const std::string_view counts = m_in.substr(m_at + 1, end - m_at - 1);
    const std::string_view behind = m_in.substr(end + 1, 1);
    const bool one = counts.find(',') == std::string_view::npos;
    if (counts.front() == ',' || behind == "+" || (one && behind == "?"))
      refuse(m_in.substr(m_at, end + 2 - m_at));
    take(end + 1 - m_at);
  }

  std::string_view m_in;
  std::size_t m_at = 0;
  std::map<std::string, std::string> m_lists;  // expanded members by pattern
  std::string m_out;
};

}  // namespace
}  // namespace pcre

struct RegexSplitter::Compiled {
  pcre::Code code;
  pcre::MatchContext usual = pcre::limitedTo(pcre::kUsualSteps), dear = pcre::limitedTo(pcre::kMaxSteps);
};

RegexSplitter::RegexSplitter(std::string pattern, std::filesystem::path file, std::string place)
    : m_pattern(std::move(pattern)), m_file(std::move(file)), m_place(std::move(place)) {
  if (m_pattern.size() > pcre::kLongestPattern)
    refuse("it has more than " + withCommas(pcre::kLongestPattern) + " bytes");
  auto held = std::make_unique<Compiled>();
  std::string problem;
  try {
    held->code = pcre::compiled(pcre::Translator(m_pattern).translated(), problem);
  } catch (const std::string& construct) {
    refuse(construct);
  }
  if (!held->code) refuse(problem);
  std::uint32_t matchesEmpty = 0;
  pcre2_pattern_info(held->code.get(), PCRE2_INFO_MATCHEMPTY, &matchesEmpty);
  if (matchesEmpty != 0) refuse("it matches the empty text");
  m_compiled = std::move(held);
}

RegexSplitter::~RegexSplitter() = default;

void RegexSplitter::refuse(const std::string& why) const {
  throw InputError({m_file, sanitized(m_place), "",
                    "the pattern \"" + sanitized(m_pattern) + "\" cannot be used: " + sanitized(why)});
}

void RegexSplitter::scan(std::string_view text, std::vector<Cut>& cuts, TextLimits& limits) const {
  const pcre::MatchData found(pcre2_match_data_create_from_pattern(m_compiled->code.get(), nullptr));
  std::size_t done = 0;
  int dear = 0;
  std::uint32_t options = 0;  // UTF-8 is checked by the first search only
  const auto search = [&](const pcre::MatchContext& context) {
    return pcre2_match(m_compiled->code.get(), pcre::unitsOf(text), text.size(), done, options, found.get(),
                       context.get());
  };
  while (done < text.size()) {
    limits.step();
    int result = search(m_compiled->usual);
    const bool tooDear = result == PCRE2_ERROR_MATCHLIMIT || result == PCRE2_ERROR_DEPTHLIMIT;
    if (tooDear && ++dear <= pcre::kMaxDearSearches) result = search(m_compiled->dear);
    if (result == PCRE2_ERROR_NOMATCH) break;
    if (result < 0) refuse("its search in this text takes too many steps");
    const std::size_t* match = pcre2_get_ovector_pointer(found.get());
    if (match[1] <= match[0]) refuse("it matches the empty text");
    if (match[0] > done) cuts.push_back({match[0], false});
    cuts.push_back({match[1], true});
    done = match[1];
    options = PCRE2_NO_UTF_CHECK;
  }
  if (done < text.size()) cuts.push_back({text.size(), false});
}

}  // namespace plastiscope

#undef PCRE2_CODE_UNIT_WIDTH
