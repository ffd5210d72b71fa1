#include "widgets/models/filter_tokens.h"

#include <array>
#include <cctype>
#include <charconv>

#include "widgets/models/head_filter.h"

namespace plastiscope {
namespace {

constexpr std::array<std::string_view, 17> kSigns = {"&&", "||", "<=", ">=", "==", "!=", "<", ">", "=",
                                                     "!",  "(",  ")",  "+",  "-",  "*",  "/", ","};
constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kWords = {
    {{"and", "&&"}, {"or", "||"}, {"not", "!"}}};

bool startsWord(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_';
}
bool inWord(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

class Scanner {
 public:
  explicit Scanner(std::string_view text) : m_text(text) {}

  FilterToken next() {
    while (m_at < m_text.size() && std::isspace(static_cast<unsigned char>(m_text[m_at]))) ++m_at;
    FilterToken token;
    token.position = m_at;
    if (m_at == m_text.size()) return token;
    const char c = m_text[m_at];
    if (std::isdigit(static_cast<unsigned char>(c)) || (c == '.' && m_at + 1 < m_text.size()))
      return number(token);
    if (startsWord(c)) return word(token);
    if (c == '"' || c == '\'') return quoted(token, c);
    return sign(token);
  }

 private:
  FilterToken number(FilterToken token) {
    const char* begin = m_text.data() + m_at;
    const auto [end, error] = std::from_chars(begin, m_text.data() + m_text.size(), token.number);
    if (error != std::errc() || end == begin) throw FilterError("this is not a number", m_at);
    token.kind = FilterToken::Kind::Number;
    token.text = std::string(begin, end);
    m_at += static_cast<std::size_t>(end - begin);
    return token;
  }

  FilterToken word(FilterToken token) {
    const std::size_t begin = m_at;
    while (m_at < m_text.size() && inWord(m_text[m_at])) ++m_at;
    token.kind = FilterToken::Kind::Word;
    token.text = std::string(m_text.substr(begin, m_at - begin));
    for (const auto& [name, meaning] : kWords) {
      if (token.text == name) return {FilterToken::Kind::Sign, std::string(meaning), 0, begin};
    }
    return token;
  }

  FilterToken quoted(FilterToken token, char quote) {
    const std::size_t end = m_text.find(quote, m_at + 1);
    if (end == std::string_view::npos) throw FilterError("the quote is not closed", m_at);
    token.kind = FilterToken::Kind::Quoted;
    token.text = std::string(m_text.substr(m_at + 1, end - m_at - 1));
    m_at = end + 1;
    return token;
  }

  FilterToken sign(FilterToken token) {
    for (const std::string_view known : kSigns) {
      if (m_text.substr(m_at, known.size()) != known) continue;
      token.kind = FilterToken::Kind::Sign;
      token.text = known;
      m_at += known.size();
      return token;
    }
    throw FilterError(std::string("\"") + m_text[m_at] + "\" means nothing here", m_at);
  }

  std::string_view m_text;
  std::size_t m_at = 0;
};

}  // namespace

std::vector<FilterToken> filterTokens(std::string_view expression) {
  Scanner scanner(expression);
  std::vector<FilterToken> tokens;
  do tokens.push_back(scanner.next());
  while (tokens.back().kind != FilterToken::Kind::End);
  return tokens;
}

}  // namespace plastiscope
