#pragma once
// Patterns of tokenizer files that no scanner of pre_split.h knows, run by PCRE2.
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/text/pre_split.h"
#include "core/text/text_limits.h"

namespace plastiscope {

// The reference library runs such patterns with Oniguruma. What PCRE2 spells in another way is translated
// (\s, \w, \d, \b, \uHHHH, and the classes of characters that are younger than its Unicode tables); what it
// would read as something else is refused, and so is a pattern that matches the empty text.
class RegexSplitter {
 public:
  // InputError names `place` and the pattern.
  RegexSplitter(std::string pattern, std::filesystem::path file, std::string place);
  ~RegexSplitter();
  RegexSplitter(const RegexSplitter&) = delete;
  RegexSplitter& operator=(const RegexSplitter&) = delete;

  // Appends the cuts of `text`, as a SplitScanner. InputError when the search costs too many steps.
  void scan(std::string_view text, std::vector<Cut>& cuts, TextLimits& limits) const;

 private:
  struct Compiled;
  [[noreturn]] void refuse(const std::string& why) const;

  std::string m_pattern;
  std::filesystem::path m_file;
  std::string m_place;
  std::unique_ptr<const Compiled> m_compiled;
};

}  // namespace plastiscope
