#pragma once
// Words of a filter expression (head_filter.h).
#include <string>
#include <string_view>
#include <vector>

namespace plastiscope {

struct FilterToken {
  enum class Kind { Number, Word, Quoted, Sign, End };
  Kind kind = Kind::End;
  std::string text;  // of a sign: "<", "<=", "&&", "(", ...; "and", "or", "not" arrive as "&&", "||", "!"
  double number = 0;
  std::size_t position = 0;
};

// FilterError for characters that mean nothing and for a quote that is not closed. The last token is End.
std::vector<FilterToken> filterTokens(std::string_view expression);

}  // namespace plastiscope
