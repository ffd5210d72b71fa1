#include "core/views/head_filter.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <vector>

#include "core/base/parsed_number.h"
#include "core/views/metric_info.h"

namespace plastiscope {

namespace {

// ---- tokens of an expression

struct FilterToken {
  enum class Kind { Number, Word, Group, Quoted, Sign, End };
  Kind kind = Kind::End;
  std::string text;  // for a sign: "<", "<=", "&&", "(", ...; "and", "or", "not" become "&&", "||", "!"
  double number = 0;
  std::size_t position = 0;
};

constexpr std::array<std::string_view, 17> kSigns = {"&&", "||", "<=", ">=", "==", "!=", "<", ">", "=",
                                                     "!",  "(",  ")",  "+",  "-",  "*",  "/", ","};
constexpr std::string_view kGroupPrefix = "group:";
constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kWords = {
    {{"and", "&&"}, {"or", "||"}, {"not", "!"}}};

bool isDigit(unsigned char c) {
  return std::isdigit(c) != 0;
}
bool isBlank(unsigned char c) {
  return std::isspace(c) != 0;
}
bool isInWord(unsigned char c) {
  return std::isalnum(c) != 0 || c == '_';
}

class Scanner {
 public:
  explicit Scanner(std::string_view text) : m_text(text) {}

  FilterToken next() {
    while (m_at < m_text.size() && isBlank(m_text[m_at])) ++m_at;
    if (m_at == m_text.size()) return token(FilterToken::Kind::End, 0);
    const char c = m_text[m_at];
    if (isDigit(c) || (c == '.' && m_at + 1 < m_text.size())) return number();
    if (m_text.substr(m_at).starts_with(kGroupPrefix)) return group();
    if (isInWord(c)) return word();
    return c == '"' || c == '\'' ? quoted(c) : sign();
  }

 private:
  // The next `length` characters.
  FilterToken token(FilterToken::Kind kind, std::size_t length) {
    FilterToken token{kind, std::string(m_text.substr(m_at, length)), 0, m_at};
    m_at += length;
    return token;
  }

  FilterToken number() {
    double value = 0;
    const char* begin = m_text.data() + m_at;
    const auto [end, error] = fromChars(begin, m_text.data() + m_text.size(), value);
    if (error != std::errc() || end == begin) throw FilterError("this is not a number", m_at);
    FilterToken number = token(FilterToken::Kind::Number, end - begin);
    number.number = value;
    return number;
  }

  FilterToken word() {
    const auto end = std::find_if_not(m_text.begin() + m_at, m_text.end(), isInWord);
    FilterToken word = token(FilterToken::Kind::Word, end - m_text.begin() - m_at);
    for (const auto& [name, meaning] : kWords) {
      if (word.text == name) return {FilterToken::Kind::Sign, std::string(meaning), 0, word.position};
    }
    return word;
  }

  FilterToken group() {
    const auto end =
        std::find_if_not(m_text.begin() + m_at + kGroupPrefix.size(), m_text.end(), isInGroupName);
    FilterToken group = token(FilterToken::Kind::Group, end - m_text.begin() - m_at);
    group.text.erase(0, kGroupPrefix.size());
    return group;
  }

  FilterToken quoted(char quote) {
    const std::size_t end = m_text.find(quote, m_at + 1);
    if (end == std::string_view::npos) throw FilterError("the quote is not closed", m_at);
    FilterToken quoted = token(FilterToken::Kind::Quoted, end + 1 - m_at);
    quoted.text = quoted.text.substr(1, quoted.text.size() - 2);
    return quoted;
  }

  FilterToken sign() {
    for (const std::string_view known : kSigns) {
      if (m_text.substr(m_at).starts_with(known)) return token(FilterToken::Kind::Sign, known.size());
    }
    throw FilterError(std::string("\"") + m_text[m_at] + "\" is not a known sign", m_at);
  }

  std::string_view m_text;
  std::size_t m_at = 0;
};

// FilterError for unknown characters and unclosed quotes. The last token is End.
std::vector<FilterToken> filterTokens(std::string_view expression) {
  Scanner scanner(expression);
  std::vector<FilterToken> tokens;
  do tokens.push_back(scanner.next());
  while (tokens.back().kind != FilterToken::Kind::End);
  return tokens;
}

// ---- parser

using Kind = FilterToken::Kind;
using RowNumber = std::function<double(std::size_t)>;
using TextOfRow = std::function<std::string(std::size_t)>;
using RowTruth = std::function<bool(std::size_t)>;

constexpr int kDeepest = 100;

struct Relation {
  std::string_view sign;
  bool (*holds)(double x, double y);
};
constexpr auto kEqual = [](double x, double y) { return x == y; };
constexpr std::array<Relation, 7> kRelations = {{{"<", [](double x, double y) { return x < y; }},
                                                 {"<=", [](double x, double y) { return x <= y; }},
                                                 {">", [](double x, double y) { return x > y; }},
                                                 {">=", [](double x, double y) { return x >= y; }},
                                                 {"!=", [](double x, double y) { return x != y; }},
                                                 {"==", kEqual},
                                                 {"=", kEqual}}};

// Part of the expression: exactly one of the three is set. A bare word that is not a column is kept as text,
// since it may be the search word of the whole expression.
struct Part {
  RowNumber number;
  TextOfRow text;
  RowTruth truth;
  bool bareWord = false;
  std::size_t position = 0;
};

std::string lowered(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

HeadName headAt(const Table& heads, std::size_t row) {
  return {heads.integers("layer")[row], heads.integers("head")[row]};
}

// "" in a table of something else.
std::string headName(const Table& heads, std::size_t row) {
  if (heads.find("head") == nullptr) return {};
  return headAt(heads, row).text();
}

RowNumber columnNumber(const ColumnValues& values) {
  if (const auto* integers = std::get_if<std::vector<std::int64_t>>(&values)) {
    return [integers](std::size_t row) { return static_cast<double>((*integers)[row]); };
  }
  const auto* numbers = std::get_if<std::vector<double>>(&values);
  return [numbers](std::size_t row) { return (*numbers)[row]; };
}

class Parser {
 public:
  Parser(std::string_view expression, const Table& heads, HeadSets sets)
      : m_tokens(filterTokens(expression)), m_heads(heads), m_sets(std::move(sets)) {}

  RowTruth parse() {
    Part whole = either();
    if (peek().kind != Kind::End)
      throw FilterError("\"" + peek().text + "\" is not expected here", peek().position);
    if (whole.bareWord) return searchFor(whole.text(0));
    return truthOf(whole);
  }

 private:
  const FilterToken& peek() const { return m_tokens[m_at]; }
  bool isSign(std::string_view sign) const { return peek().kind == Kind::Sign && peek().text == sign; }
  bool isOneOf(std::string_view signs) const {
    return peek().kind == Kind::Sign && peek().text.size() == 1 && signs.find(peek().text) != signs.npos;
  }
  bool takeSign(std::string_view sign) {
    if (!isSign(sign)) return false;
    ++m_at;
    return true;
  }
  void expect(std::string_view sign) {
    if (!takeSign(sign)) throw FilterError("\"" + std::string(sign) + "\" is expected here", peek().position);
  }

  // Parts of a chain are stored flat: a chain may be long, nesting is limited.
  template <typename Members>
  static auto kept(Members members) {
    return std::make_shared<const Members>(std::move(members));
  }

  using Operand = Part (Parser::*)();

  Part either() { return chain("||", &Parser::both, false); }
  Part both() { return chain("&&", &Parser::negation, true); }

  Part chain(std::string_view sign, Operand operand, bool all) {
    Part first = (this->*operand)();
    if (!isSign(sign)) return first;
    std::vector<RowTruth> truths{truthOf(first)};
    while (takeSign(sign)) truths.push_back(truthOf((this->*operand)()));
    return joined(std::move(truths), all);
  }

  // True if all of these are true, or any of them.
  Part joined(std::vector<RowTruth> truths, bool all) const {
    return truthPart([truths = kept(std::move(truths)), all](std::size_t row) {
      const auto holds = [row](const RowTruth& each) { return each(row); };
      return all ? std::ranges::all_of(*truths, holds) : std::ranges::any_of(*truths, holds);
    });
  }

  Part negation() {
    if (!takeSign("!")) return comparison();
    const Deeper deeper(*this);
    const RowTruth inner = truthOf(negation());
    return truthPart([inner](std::size_t row) { return !inner(row); });
  }

  Part comparison() {
    Part left = sum();
    std::vector<RowTruth> links;
    while (const Relation* relation = takeRelation()) {
      Part right = sum();
      links.push_back(compare(*relation, left, right));
      left = std::move(right);
    }
    return links.empty() ? left : joined(std::move(links), true);
  }

  const Relation* takeRelation() {
    const auto found =
        std::ranges::find_if(kRelations, [this](const Relation& each) { return takeSign(each.sign); });
    return found == kRelations.end() ? nullptr : &*found;
  }

  Part sum() { return arithmetic("+-", &Parser::product); }
  Part product() { return arithmetic("*/", &Parser::unary); }

  Part arithmetic(std::string_view signs, Operand operand) {
    const Part first = (this->*operand)();
    if (!isOneOf(signs)) return first;
    struct Step {
      char sign;
      RowNumber number;
    };
    const RowNumber start = numberOf(first);  // reports an error at its position
    std::vector<Step> steps;
    while (isOneOf(signs)) {
      const char sign = peek().text.front();
      ++m_at;
      steps.push_back({sign, numberOf((this->*operand)())});
    }
    return numberPart([start, steps = kept(std::move(steps))](std::size_t row) {
      double value = start(row);
      for (const auto& [sign, number] : *steps) {
        const double other = number(row);
        value = sign == '+'   ? value + other
                : sign == '-' ? value - other
                : sign == '*' ? value * other
                              : value / other;
      }
      return value;
    });
  }

  Part unary() {
    if (!takeSign("-")) return primary();
    const Deeper deeper(*this);
    const RowNumber inner = numberOf(unary());
    return numberPart([inner](std::size_t row) { return -inner(row); });
  }

  Part primary() {
    const FilterToken token = peek();
    if (takeSign("(")) {
      const Deeper deeper(*this);
      Part inner = either();
      expect(")");
      inner.bareWord = false;
      return inner;
    }
    if (token.kind == Kind::End) throw FilterError("the expression is incomplete at the end", token.position);
    if (token.kind == Kind::Sign)
      throw FilterError("\"" + token.text + "\" is not expected here", token.position);
    ++m_at;
    if (token.kind == Kind::Number) return numberPart([value = token.number](std::size_t) { return value; });
    if (token.kind == Kind::Quoted)
      return textPart([value = token.text](std::size_t) { return value; }, token.position);
    return token.kind == Kind::Group ? group(token) : word(token);
  }

  Part group(const FilterToken& token) {
    try {
      const HeadGroup& group = groupNamed(m_sets.groups, token.text);
      return truthPart([heads = &m_heads, members = kept(group.heads)](std::size_t row) {
        return std::ranges::binary_search(*members, headAt(*heads, row));
      });
    } catch (const UsageError& error) {
      throw FilterError(error.what(), token.position);
    }
  }

  Part word(const FilterToken& token) {
    if (peek().kind == Kind::Sign && peek().text == "(") return function(token);
    if (token.text == "name" && m_heads.find("name") == nullptr) {
      return textPart([heads = &m_heads](std::size_t row) { return headName(*heads, row); }, token.position);
    }
    if (token.text == "starred") {
      return truthPart([starred = m_sets.starred](std::size_t row) { return starred && starred(row); });
    }
    const Column* column = m_heads.find(token.text);
    if (!column) {
      Part part = textPart([value = token.text](std::size_t) { return value; }, token.position);
      part.bareWord = true;
      return part;
    }
    if (const auto* texts = std::get_if<std::vector<std::string>>(&column->values)) {
      return textPart([texts](std::size_t row) { return (*texts)[row]; }, token.position);
    }
    return numberPart(columnNumber(column->values));
  }

  Part function(const FilterToken& name) {
    const Deeper deeper(*this);
    expect("(");
    const RowNumber a = numberOf(either());
    if (name.text == "abs") {
      expect(")");
      return numberPart([a](std::size_t row) { return std::abs(a(row)); });
    }
    if (name.text != "min" && name.text != "max") {
      throw FilterError("unknown function \"" + name.text + "\"; known functions: abs, min and max",
                        name.position);
    }
    expect(",");
    const RowNumber b = numberOf(either());
    expect(")");
    return numberPart([a, b, least = name.text == "min"](std::size_t row) {
      const double x = a(row), y = b(row);
      if (std::isnan(y)) return kMissing;
      return least ? std::min(x, y) : std::max(x, y);
    });
  }

  RowTruth compare(const Relation& relation, const Part& left, const Part& right) {
    if (left.text || right.text) return compareTexts(relation.sign, left, right);
    const RowNumber a = numberOf(left), b = numberOf(right);
    return [a, b, holds = relation.holds](std::size_t row) {
      const double x = a(row), y = b(row);
      return !std::isnan(x) && !std::isnan(y) && holds(x, y);
    };
  }

  RowTruth compareTexts(std::string_view sign, const Part& left, const Part& right) {
    for (const Part* part : {&left, &right}) {
      const Part& other = part == &left ? right : left;
      if (part->bareWord && !other.text) throw unknownColumn(*part);
      if (!part->text && other.bareWord) throw unknownColumn(other);
      if (!part->text) throw FilterError("a text cannot be compared with a number", part->position);
    }
    if (left.bareWord && right.bareWord) throw unknownColumn(left);
    if (sign != "==" && sign != "=" && sign != "!=") {
      throw FilterError("texts can only be compared with == and !=", left.position);
    }
    const bool equal = sign != "!=";
    return [a = left.text, b = right.text, equal](std::size_t row) {
      const std::string x = lowered(a(row)), y = lowered(b(row));
      return !x.empty() && !y.empty() && (x == y) == equal;
    };
  }

  FilterError unknownColumn(const Part& part) const {
    const std::string name = part.text(0);
    if (const std::string missing = missingScore(name); !missing.empty()) return {missing, part.position};
    std::vector<std::string> names;
    for (const Column& column : m_heads.columns) names.push_back(column.name);
    const std::string near = nearestName(name, names);
    return {"there is no column \"" + name + "\"" + (near.empty() ? "" : "; did you mean " + near + "?"),
            part.position};
  }

  RowNumber numberOf(const Part& part) const {
    if (part.number) return part.number;
    if (part.bareWord) throw unknownColumn(part);
    throw FilterError("a number is expected here", part.position);
  }

  RowTruth truthOf(const Part& part) const {
    if (part.truth) return part.truth;
    if (part.bareWord) throw unknownColumn(part);
    throw FilterError("a comparison such as ap_drop > 0.2 is expected", part.position);
  }

  RowTruth searchFor(const std::string& word) const {
    const std::string wanted = lowered(word);
    return [heads = &m_heads, wanted](std::size_t row) {
      if (lowered(headName(*heads, row)).find(wanted) != std::string::npos) return true;
      return std::any_of(heads->columns.begin(), heads->columns.end(), [&](const Column& column) {
        const auto* texts = std::get_if<std::vector<std::string>>(&column.values);
        return texts && lowered((*texts)[row]).find(wanted) != std::string::npos;
      });
    };
  }

  Part numberPart(RowNumber number) const { return {std::move(number), {}, {}, false, place()}; }
  Part textPart(TextOfRow text, std::size_t position) const {
    return {{}, std::move(text), {}, false, position};
  }
  Part truthPart(RowTruth truth) const { return {{}, {}, std::move(truth), false, place()}; }
  std::size_t place() const { return m_tokens[m_at > 0 ? m_at - 1 : 0].position; }

  // Refuses expressions that nest too deeply instead of overflowing the stack.
  struct Deeper {
    explicit Deeper(Parser& owner) : parser(owner) {
      if (++parser.m_depth > kDeepest)
        throw FilterError("the expression is nested too deeply", parser.peek().position);
    }
    ~Deeper() { --parser.m_depth; }
    Deeper(const Deeper&) = delete;
    Deeper& operator=(const Deeper&) = delete;
    Parser& parser;
  };

  std::vector<FilterToken> m_tokens;
  const Table& m_heads;
  HeadSets m_sets;
  std::size_t m_at = 0;
  int m_depth = 0;
};

}  // namespace

HeadFilter::HeadFilter(std::string_view expression, const Table& heads, HeadSets sets) {
  if (expression.find_first_not_of(" \t\r\n") == std::string_view::npos) return;
  m_matches = Parser(expression, heads, std::move(sets)).parse();
}

}  // namespace plastiscope
