#pragma once
// Runs patterns of tokenizer files that pre_split.h does not know, with Oniguruma like the reference library.
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/text/pre_split.h"
#include "core/text/text_limits.h"

namespace plastiscope {

// Characters newer than Oniguruma's Unicode tables are added to the classes of a pattern. Rare constructs
// and patterns that match the empty string are refused.
class RegexSplitter {
 public:
  // InputError names `place` and the pattern.
  RegexSplitter(std::string pattern, std::filesystem::path file, std::string place);
  ~RegexSplitter();
  RegexSplitter(const RegexSplitter&) = delete;
  RegexSplitter& operator=(const RegexSplitter&) = delete;

  // Appends the cuts of `text`, like a SplitScanner. InputError when the search needs too many steps.
  void scan(std::string_view text, std::vector<Cut>& cuts, TextLimits& limits) const;

 private:
  struct Compiled;
  void refuseEmptyMatches() const;
  [[noreturn]] void refuse(const std::string& why) const;

  std::string m_pattern;
  std::filesystem::path m_file;
  std::string m_place;
  std::unique_ptr<const Compiled> m_compiled;
};

}  // namespace plastiscope
