#include "core/views/attended_data.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "core/base/error.h"
#include "core/text/token_types.h"
#include "core/views/metric_info.h"
#include "core/views/plane_data.h"

namespace plastiscope {

namespace {

enum Place { kFirst, kParagraph, kLine, kSentence, kBreak, kEnd, kElsewhere };
constexpr std::string_view kSpecials[] = {"<s>",   "</s>",  "<bos>", "<eos>",
                                          "<pad>", "<unk>", "[CLS]", "[SEP]"};
constexpr std::string_view kSentenceEnds[] = {".", "!", "?", "\u2026", "\u3002", "\uFF01", "\uFF1F"};
constexpr std::string_view kWideEnds[] = {"\u3002", "\uFF01", "\uFF1F"};  // no space follows
constexpr std::string_view kClosing[] = {"\"", "'", ")", "]", "\u201D", "\u2019", "\u00BB", "\u300D"};
constexpr std::string_view kWhite = " \t\r\n\v\f";

bool endsWithOneOf(std::string_view text, std::span<const std::string_view> ends) {
  return std::ranges::any_of(ends, [text](std::string_view end) { return text.ends_with(end); });
}

// Without closing quotes and brackets at its end.
std::string_view withoutClosing(std::string_view text) {
  for (bool cut = true; cut;) {
    cut = false;
    for (const std::string_view close : kClosing) {
      if (!text.ends_with(close)) continue;
      text.remove_suffix(close.size());
      cut = true;
    }
  }
  return text;
}

bool isSpecialToken(std::string_view token) {
  return token.empty() || (token.size() > 4 && token.starts_with("<|") && token.ends_with("|>")) ||
         std::ranges::count(kSpecials, token) > 0;
}

// Reads a text token by token.
class PlaceReader {
 public:
  Place next(std::string_view token, bool word) {
    const std::size_t begin = token.find_first_not_of(kWhite);
    const bool visible = begin != std::string_view::npos, breaks = token.find('\n') != std::string_view::npos;
    const std::string_view lead = token.substr(0, visible ? begin : token.size());
    m_breaks += std::ranges::count(lead, '\n');
    m_space = m_space || !lead.empty();
    const auto lines = m_breaks;
    const bool starts = m_ended && m_space && word;
    const bool first = std::exchange(m_first, false);
    bool ends = false;
    if (visible) {
      const std::size_t end = token.find_last_not_of(kWhite) + 1;
      const std::string_view core = withoutClosing(token.substr(begin, end - begin));
      ends = endsWithOneOf(core, kSentenceEnds);
      if (!core.empty()) m_ended = ends;
      m_breaks = std::ranges::count(token.substr(end), '\n');
      if (!core.empty()) m_space = endsWithOneOf(core, kWideEnds);
      m_space = m_space || end < token.size();
    }
    if (first) return kFirst;
    if (visible && lines > 1) return kParagraph;
    if (visible && lines == 1) return kLine;
    if (starts) return kSentence;
    if (breaks) return kBreak;
    return ends ? kEnd : kElsewhere;
  }

 private:
  bool m_first = true, m_ended = false, m_space = false;  // a sentence ended; white space follows its end
  std::ptrdiff_t m_breaks = 0;                            // since the last visible character
};

std::string percentText(double share) {
  return fixedText(100 * share, share < 0.0995 ? 1 : 0) + " %";
}

}  // namespace

const std::vector<KeyClass>& keyPlaces() {
  static const std::vector<KeyClass> places = {
      {"first_token", "first token", "the first token", "position 0 of the text"},
      {"paragraph_start", "paragraph start", "starts of paragraphs",
       "holds the first visible character after an empty line"},
      {"line_start", "line start", "starts of lines", "holds the first visible character after a line break"},
      {"sentence_start", "sentence start", "starts of sentences",
       "a word or number after . ! ? or \u2026 and white space, with closing quotes and brackets between"},
      {"line_break", "line break", "line breaks", "holds a line break"},
      {"sentence_end", "sentence end", "ends of sentences", "ends with . ! ? or \u2026"},
      {"elsewhere", "elsewhere", "other places", "no other rule holds"},
  };
  return places;
}

const std::vector<KeyClass>& keyTypes() {
  static const std::vector<KeyClass> types = [] {
    constexpr std::array<const char*, 6> kPhrases = {"word starts", "continuations of words",
                                                     "numbers",     "punctuation",
                                                     "white space", "letters that are not Latin"};
    std::vector<KeyClass> all;
    for (std::size_t i = 0; i < kPhrases.size(); ++i)
      all.push_back({namesOf(TokenType())[i], titlesOf(TokenType())[i], kPhrases[i], ""});
    all.push_back({"special", "special", "special tokens",
                   "empty, between <| and |>, or one of <s> </s> <bos> <eos> <pad> <unk> [CLS] [SEP]"});
    return all;
  }();
  return types;
}

KeyClass keyDistance(std::size_t distance) {
  const std::int64_t from = distance == 0 ? 0 : std::int64_t{1} << (distance - 1);
  const std::string back = withCommas(from) + "\u2013" + withCommas(2 * from - 1) + " back";
  if (distance < 2)
    return distance == 0 ? KeyClass{"0", "itself", "the query itself", ""}
                         : KeyClass{"1", "previous token", "the previous token", ""};
  return {std::to_string(from), back, "keys " + back, ""};
}

KeyClass keyToken(const std::string& token) {
  const std::string shown = shownTokens(std::span(&token, 1)).front();
  return {shown, tokenTitle(shown), tokenTitle(shown), ""};
}

std::vector<std::int32_t> keyPlacesOf(std::span<const std::string> tokens) {
  const std::vector<std::int32_t> types = keyTypesOf(tokens);
  std::vector<std::int32_t> places;
  PlaceReader reader;
  for (const std::string& token : tokens) {
    const auto type = static_cast<TokenType>(types[places.size()]);
    const bool word = type != TokenType::Punctuation && type != TokenType::Space && !isSpecialToken(token);
    places.push_back(reader.next(token, word));
  }
  return places;
}

std::vector<std::int32_t> keyTypesOf(std::span<const std::string> tokens) {
  std::vector<std::int32_t> types;
  for (const TokenType type : tokenTypes(tokens))
    types.push_back(isSpecialToken(tokens[types.size()]) ? static_cast<std::int32_t>(kKeyTypes - 1)
                                                         : static_cast<std::int32_t>(type));
  return types;
}

std::string tokenTitle(const std::string& shown) {
  constexpr std::size_t kFewSpaces = 2, kLongest = 16;
  std::string title;
  for (std::size_t at = 0; at < shown.size();) {
    const std::size_t end = std::min(shown.find_first_not_of(' ', at), shown.size()), spaces = end - at;
    title += spaces > kFewSpaces ? "[" + std::to_string(spaces) + " spaces]" : std::string(spaces, ' ');
    const std::size_t next = std::min(shown.find(' ', end), shown.size());
    title += shown.substr(end, next - end);
    at = next;
  }
  return "\u201C" + beginningOf(title, kLongest) + "\u201D";
}

std::string scopeText(const AttendedData& data) {
  const std::string choice = textOf(data.choice);
  return withCommas(data.texts) + (data.texts == 1 ? " text" : " texts") + " \u00b7 " +
         withCommas(data.queries[0]) + (data.dense ? " queries" : " captured queries") +
         (choice.empty() ? "" : " (" + choice + ")") + (data.dense ? ", all keys" : ", captured keys only");
}

std::string attendedSentence(const AttendedData& data) {
  constexpr double kStandsOut = 0.1;
  // The class with the largest value, if it is at least kStandsOut.
  const auto largest = [&data](const auto& value) {
    const AttendedClass* best = nullptr;
    for (const KeyGrouping grouping : {KeyGrouping::Place, KeyGrouping::Type, KeyGrouping::Distance})
      for (const AttendedClass& one : data.of(grouping))
        if (one.key.name != keyPlaces()[kElsewhere].name &&
            value(one) >= (best == nullptr ? kStandsOut : value(*best)))
          best = &one;
    return best;
  };
  const AttendedClass* most = largest([](const AttendedClass& one) { return one.share[0].excess(); });
  // A change of the attention that a change of the visible keys does not explain.
  const AttendedClass* moves = largest([](const AttendedClass& one) {
    const AttendedShare &late = one.share[kFifths], &early = one.share[1];
    const double change = late.value.value - early.value.value, more = late.excess() - early.excess();
    return change * more > 0 ? std::min(std::fabs(change), std::fabs(more)) : 0;
  });
  std::string sentence = most == nullptr
                             ? "No place, type or distance gets 10 % more of the attention than of the keys."
                             : "Puts " + percentText(most->share[0].value.value) + " of its attention on " +
                                   most->key.phrase + " (" + percentText(most->share[0].keys) + " of the " +
                                   (data.dense ? "keys)." : "captured keys).");
  if (moves != nullptr)
    sentence += " Late queries (last fifth) put " + percentText(moves->share[kFifths].value.value) + " on " +
                moves->key.phrase + ", early ones " + percentText(moves->share[1].value.value) + ".";
  return sentence;
}

Table attendedTable(const AttendedData& data) {
  TableBuilder table(
      "attended", {texts("grouping"), texts("class"), texts("fifth"), integers("queries"), numbers("value"),
                   numbers("value_low"), numbers("value_high"), numbers("keys"), numbers("top")});
  const auto add = [&](const std::string& grouping, const std::vector<AttendedClass>& classes) {
    for (const AttendedClass& one : classes)
      for (std::size_t fifth = 0; fifth <= kFifths; ++fifth) {
        const AttendedShare& share = one.share[fifth];
        table.row({grouping, one.key.name, fifth == 0 ? "all" : std::to_string(fifth), data.queries[fifth],
                   share.value.value, share.value.interval.low, share.value.interval.high, share.keys,
                   share.top});
      }
  };
  for (std::size_t grouping = 0; grouping < kKeyGroupings; ++grouping)
    add(namesOf(KeyGrouping())[grouping], data.groups[grouping]);
  add("measure", data.measures);
  return table.take();
}

Table attendedSteps(const AttendedData& data) {
  TableBuilder table("attended_steps", {integers("step"), numbers("from"), numbers("to"), integers("queries"),
                                        numbers("relative_entropy"), numbers("relative_entropy_low"),
                                        numbers("relative_entropy_high"), numbers("first_token"),
                                        numbers("first_token_low"), numbers("first_token_high")});
  for (std::size_t i = 0; i < data.steps.size(); ++i) {
    const auto& [from, to, queries, entropy, first] = data.steps[i];
    table.row({static_cast<std::int64_t>(i + 1), from, to, queries, entropy.value, entropy.interval.low,
               entropy.interval.high, first.value, first.interval.low, first.interval.high});
  }
  return table.take();
}

Table attendedQueries(const AttendedData& data) {
  TableBuilder table("attended_queries",
                     {texts("agreement"), texts("text"), integers("position"), numbers("value"),
                      texts("before"), texts("token"), texts("after"), texts("strongest")});
  for (const auto& [name, examples] : {std::pair("high", &data.typical), std::pair("low", &data.untypical)}) {
    for (const auto& [query, words, keys] : *examples) {
      std::string strongest;  // "12 the 0.410, ..."
      for (std::size_t i = 0; i < keys.size(); ++i)
        strongest += (i > 0 ? ", " : "") + std::to_string(query.strongest[i].position) + " " + keys[i].token +
                     " " + fixedText(query.strongest[i].weight, 3);
      table.row({std::string(name), exampleLabel(data.exampleIds, static_cast<std::int32_t>(query.text)),
                 query.position, query.agreement, words.before, words.token, words.after, strongest});
    }
  }
  return table.take();
}

}  // namespace plastiscope
