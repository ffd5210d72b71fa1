#include "core/base/regex.h"

#include <array>

namespace plastiscope {

Regex compileRegex(std::string_view pattern, OnigSyntaxType* syntax, std::string& problem) {
  static const int kReady = [] {
    OnigEncoding encodings[] = {ONIG_ENCODING_UTF8};
    return onig_initialize(encodings, 1);
  }();
  OnigRegexType* regex = nullptr;
  OnigErrorInfo details{};
  int status = kReady;
  if (status == ONIG_NORMAL) {
    const OnigUChar* begin = regexBytes(pattern);
    status = onig_new(&regex, begin, begin + pattern.size(), ONIG_OPTION_NONE, ONIG_ENCODING_UTF8, syntax,
                      &details);
  }
  if (status != ONIG_NORMAL) {
    std::array<OnigUChar, ONIG_MAX_ERROR_MESSAGE_LEN> text{};
    const int length = onig_error_code_to_str(text.data(), status, &details);
    problem.assign(reinterpret_cast<const char*>(text.data()), static_cast<std::size_t>(length));
  }
  return {regex, onig_free};
}

}  // namespace plastiscope
