#include "core/views/attended_data.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>

#include "core/base/error.h"
#include "core/text/token_types.h"
#include "core/views/metric_info.h"
#include "core/views/plane_data.h"

namespace plastiscope {

namespace {

enum Place { kFirst, kParagraph, kLine, kSentence, kBreak, kEnd, kElsewhere };
constexpr std::array<KeyClass, 7> kPlaces = {{
    {"first_token", "first token", "the first token", "position 0 of the text"},
    {"paragraph_start", "paragraph start", "starts of paragraphs",
     "the first visible character after an empty line is in it"},
    {"line_start", "line start", "starts of lines",
     "the first visible character after a line break is in it"},
    {"sentence_start", "sentence start", "starts of sentences",
     "a word or number after . ! ? or … and white space; closing quotes and brackets may stand between"},
    {"line_break", "line break", "line breaks", "it contains a line break"},
    {"sentence_end", "sentence end", "ends of sentences", "it ends with . ! ? or …"},
    {"elsewhere", "elsewhere", "other places", "no other rule holds"},
}};

constexpr std::array<const char*, 6> kTypePhrases = {"word starts", "continuations of words",
                                                     "numbers",     "punctuation",
                                                     "white space", "letters that are not Latin"};
constexpr std::size_t kSpecial = kTypePhrases.size();
constexpr std::array<KeyClass, 7> kTypes = [] {
  std::array<KeyClass, 7> types{};
  for (std::size_t i = 0; i < kSpecial; ++i)
    types[i] = {namesOf(TokenType())[i], titlesOf(TokenType())[i], kTypePhrases[i], "type of the token"};
  types[kSpecial] = {
      "special", "special", "special tokens",
      "it is empty, between <| and |>, or one of <s> </s> <bos> <eos> <pad> <unk> [CLS] [SEP]"};
  return types;
}();
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

std::string fifthName(std::size_t fifth) {
  return fifth == 0 ? "all" : std::to_string(fifth);
}

std::vector<const AttendedClass*> describedClasses(const AttendedData& data) {
  std::vector<const AttendedClass*> classes;
  for (const auto* group : {&data.places, &data.types, &data.distances})
    for (const AttendedClass& one : *group)
      if (one.name != kPlaces[kElsewhere].name) classes.push_back(&one);
  return classes;
}

}  // namespace

std::span<const KeyClass> keyPlaces() {
  return kPlaces;
}

std::span<const KeyClass> keyTypes() {
  return kTypes;
}

std::vector<std::int32_t> keyPlacesOf(std::span<const std::string> tokens) {
  const std::vector<std::int32_t> types = keyTypesOf(tokens);
  std::vector<std::int32_t> places;
  PlaceReader reader;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const auto type = static_cast<TokenType>(types[i]);
    const bool word = type == TokenType::WordStart || type == TokenType::Continuation ||
                      type == TokenType::Number || type == TokenType::OtherScript;
    places.push_back(reader.next(tokens[i], word));
  }
  return places;
}

std::vector<std::int32_t> keyTypesOf(std::span<const std::string> tokens) {
  std::vector<std::int32_t> types;
  for (const TokenType type : tokenTypes(tokens))
    types.push_back(isSpecialToken(tokens[types.size()]) ? static_cast<std::int32_t>(kSpecial)
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

std::string distanceTitle(std::size_t distance) {
  if (distance == 0) return "itself";
  if (distance == 1) return "previous token";
  const std::int64_t from = std::int64_t{1} << (distance - 1);
  return withCommas(from) + "\u2013" + withCommas(2 * from - 1) + " back";
}

std::string scopeText(const AttendedData& data) {
  std::string text = data.choice.text.empty()
                         ? withCommas(data.texts) + (data.texts == 1 ? " text" : " texts")
                         : data.choice.text;
  text += " \u00b7 " + withCommas(data.queries[0]) + (data.dense ? "" : " captured");
  if (!data.choice.type.empty())
    for (std::size_t i = 0; i < kSpecial; ++i)
      if (data.choice.type == kTypes[i].name) text += " " + std::string(kTypes[i].title);
  text += data.queries[0] == 1 ? " query" : " queries";
  if (data.choice.fifth > 0) text += " of fifth " + std::to_string(data.choice.fifth);
  return text + (data.dense ? ", all keys" : ", captured keys only");
}

std::string attendedSentence(const AttendedData& data) {
  constexpr double kStandsOut = 0.1;
  const std::vector<const AttendedClass*> classes = describedClasses(data);
  const auto largest = [&classes](const auto& value) {
    const AttendedClass* best = nullptr;
    for (const AttendedClass* one : classes)
      if (value(*one) >= (best == nullptr ? kStandsOut : value(*best))) best = one;
    return best;
  };
  const AttendedClass* most = largest([](const AttendedClass& one) { return one.share[0].excess(); });
  const std::string keys = data.dense ? " of the keys)" : " of the captured keys)";
  std::string sentence =
      most == nullptr
          ? "No place, type or distance gets 10 % more of the attention than its share of the keys."
          : "Puts " + percentText(most->share[0].attention) + " of its attention on " + most->phrase + " (" +
                percentText(most->share[0].keys) + keys + ".";
  const AttendedClass* moves = largest([](const AttendedClass& one) {
    return std::fabs(one.share[kFifths].excess() - one.share[1].excess());
  });
  if (moves != nullptr)
    sentence += " Late queries (last fifth) put " + percentText(moves->share[kFifths].attention) + " on " +
                moves->phrase + ", early ones " + percentText(moves->share[1].attention) + ".";
  return sentence;
}

// --- Tables

Table attendedTable(const AttendedData& data) {
  TableBuilder table("attended", {texts("grouping"), texts("class"), texts("fifth"), integers("queries"),
                                  numbers("attention"), numbers("attention_low"), numbers("attention_high"),
                                  numbers("keys"), numbers("top")});
  for (const auto& [grouping, classes] : {std::pair(KeyGrouping::Place, &data.places),
                                          {KeyGrouping::Type, &data.types},
                                          {KeyGrouping::Distance, &data.distances},
                                          {KeyGrouping::Token, &data.tokens}}) {
    for (const AttendedClass& one : *classes) {
      for (std::size_t fifth = 0; fifth <= kFifths; ++fifth) {
        const AttendedShare& share = one.share[fifth];
        table.row({std::string(namesOf(KeyGrouping())[static_cast<std::size_t>(grouping)]), one.name,
                   fifthName(fifth), data.queries[fifth], share.attention, share.interval.low,
                   share.interval.high, share.keys, share.top});
      }
    }
  }
  return table.take();
}

Table attendedPositions(const AttendedData& data) {
  TableBuilder table(
      "attended_positions",
      {numbers("from"), numbers("to"), numbers("entropy"), numbers("entropy_low"), numbers("entropy_high"),
       numbers("relative_entropy"), numbers("relative_entropy_low"), numbers("relative_entropy_high"),
       numbers("first_token"), numbers("first_token_low"), numbers("first_token_high")});
  for (const AttendedBin& bin : data.bins)
    table.row({bin.from, bin.to, bin.entropy.value, bin.entropy.interval.low, bin.entropy.interval.high,
               bin.relativeEntropy.value, bin.relativeEntropy.interval.low, bin.relativeEntropy.interval.high,
               bin.first.value, bin.first.interval.low, bin.first.interval.high});
  return table.take();
}

Table attendedParts(const AttendedData& data) {
  TableBuilder table("attended_parts", {texts("fifth"), texts("part"), numbers("share"), numbers("share_low"),
                                        numbers("share_high")});
  constexpr std::array<const char*, kScoreParts> kNames = {"a", "b", "rest"};
  for (std::size_t fifth = 0; fifth <= kFifths; ++fifth)
    for (std::size_t part = 0; part < kScoreParts; ++part) {
      const MeanOverTexts& share = data.parts[fifth][part];
      table.row({fifthName(fifth), std::string(kNames[part]), share.value, share.interval.low,
                 share.interval.high});
    }
  return table.take();
}

Table attendedQueries(const AttendedData& data) {
  TableBuilder table(
      "attended_queries",
      {texts("agreement"), integers("rank"), texts("text"), integers("position"), numbers("value"),
       texts("before"), texts("token"), texts("after"), numbers("key_1"), texts("key_1_token"),
       numbers("key_1_attention"), numbers("key_2"), texts("key_2_token"), numbers("key_2_attention"),
       numbers("key_3"), texts("key_3_token"), numbers("key_3_attention")});
  for (const auto& [name, examples] : {std::pair("high", &data.typical), std::pair("low", &data.untypical)}) {
    std::int64_t rank = 0;
    for (const AttendedExample& example : *examples) {
      const AttendedQuery& query = example.query;
      const auto position = [&query](std::size_t key) {
        return key < query.strongest.size() ? static_cast<double>(query.strongest[key].position) : kMissing;
      };
      const auto weight = [&query](std::size_t key) {
        return key < query.strongest.size() ? query.strongest[key].weight : kMissing;
      };
      const auto token = [&example](std::size_t key) {
        return key < example.keys.size() ? example.keys[key].token : std::string();
      };
      table.row({std::string(name), ++rank,
                 exampleLabel(data.exampleIds, static_cast<std::int32_t>(query.text)), query.position,
                 query.agreement, example.words.before, example.words.token, example.words.after, position(0),
                 token(0), weight(0), position(1), token(1), weight(1), position(2), token(2), weight(2)});
    }
  }
  return table.take();
}

}  // namespace plastiscope
