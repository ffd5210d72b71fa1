#include "core/base/error.h"

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <vector>

#include "core/base/path_text.h"

namespace plastiscope {

namespace {
std::string sentenceOf(const Fault& fault) {
  std::string text = pathText(fault.file);
  if (!fault.place.empty()) text += (text.empty() ? "" : ": ") + fault.place;
  if (!text.empty()) text += ": ";
  if (!fault.expected.empty()) text += "expected " + fault.expected + ", found ";
  return text + fault.found;
}
}  // namespace

InputError::InputError(const Fault& fault) : Error(ErrorKind::Input, sentenceOf(fault)) {}

std::string withCommas(long long count) {
  std::string digits = std::to_string(count < 0 ? -count : count);
  for (int i = static_cast<int>(digits.size()) - 3; i > 0; i -= 3)
    digits.insert(static_cast<std::size_t>(i), ",");
  return count < 0 ? "-" + digits : digits;
}

std::string byteText(unsigned long long bytes) {
  static const char* const kUnits[] = {"B", "kB", "MB", "GB", "TB", "PB"};
  double value = static_cast<double>(bytes);
  int unit = 0;
  while (value >= 999.5 && unit < 5) {
    value /= 1000;
    ++unit;
  }
  char text[48];
  std::snprintf(text, sizeof text, unit == 0 || value >= 99.95 ? "%.0f %s" : "%.1f %s", value, kUnits[unit]);
  return text;
}

std::size_t editDistance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0u : 1u)});
      diagonal = above;
    }
  }
  return row[b.size()];
}

}  // namespace plastiscope
