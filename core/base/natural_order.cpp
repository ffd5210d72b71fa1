#include "core/base/natural_order.h"

#include <cctype>

namespace plastiscope {

namespace {

bool isDigit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

// The run of digits at `place` without leading zeros; moves `place` behind it.
std::string digitsAt(const std::string& text, std::size_t& place) {
  std::string digits;
  for (; place < text.size() && isDigit(text[place]); ++place) {
    if (!digits.empty() || text[place] != '0') digits += text[place];
  }
  return digits;
}

}  // namespace

bool naturallyBefore(const std::string& a, const std::string& b) {
  std::size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    if (isDigit(a[i]) && isDigit(b[j])) {
      const std::string left = digitsAt(a, i), right = digitsAt(b, j);
      if (left.size() != right.size()) return left.size() < right.size();
      if (left != right) return left < right;
    } else {
      if (a[i] != b[j]) return a[i] < b[j];
      ++i;
      ++j;
    }
  }
  const std::size_t restA = a.size() - i, restB = b.size() - j;
  return restA != restB ? restA < restB : a < b;
}

}  // namespace plastiscope
