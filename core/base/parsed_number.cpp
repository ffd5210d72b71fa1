#include "core/base/parsed_number.h"

#include <cerrno>
#include <clocale>
#include <cstdlib>
#include <string>
#if defined(__APPLE__)
#include <xlocale.h>
#endif

namespace plastiscope {

std::from_chars_result fromChars(const char* begin, const char* end, double& value) {
#if defined(_LIBCPP_VERSION) && _LIBCPP_VERSION < 200000
  static const locale_t plain = ::newlocale(LC_ALL_MASK, "C", nullptr);
  std::string text(begin, end);
  text.resize(std::min(text.size(), text.find_first_of("xX")));  // no hexadecimal numbers
  char* last = text.data();
  errno = 0;
  const double read = text.find_first_of("-.0123456789iInN") == 0 ? ::strtod_l(last, &last, plain) : 0;
  const char* const next = begin + (last - text.data());
  if (next == begin) return {begin, std::errc::invalid_argument};
  if (errno == ERANGE && (read == 0 || std::isinf(read))) return {next, std::errc::result_out_of_range};
  value = read;
  return {next, std::errc()};
#else
  return std::from_chars(begin, end, value);
#endif
}

}  // namespace plastiscope
