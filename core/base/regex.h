#pragma once
// Compiles regular expressions with Oniguruma, whose header cannot stand beside POSIX <regex.h>: include it
// in sources alone.
#define ONIG_ESCAPE_UCHAR_COLLISION 1  // ICU has another UChar
#include <oniguruma.h>

#include <memory>
#include <string>
#include <string_view>

namespace plastiscope {

using Regex = std::unique_ptr<OnigRegexType, decltype(&onig_free)>;

// A pattern over UTF-8 text. Null when it is invalid; `problem` then holds Oniguruma's message.
Regex compileRegex(std::string_view pattern, OnigSyntaxType* syntax, std::string& problem);

inline const OnigUChar* regexBytes(std::string_view text) {
  return reinterpret_cast<const OnigUChar*>(text.data());
}

}  // namespace plastiscope
