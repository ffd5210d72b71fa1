#pragma once
// Numbers from texts, independent of the locale.
#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>

namespace plastiscope {

// std::from_chars, which libc++ before version 20 has for whole numbers only.
std::from_chars_result fromChars(const char* begin, const char* end, double& value);
template <typename Whole>
std::from_chars_result fromChars(const char* begin, const char* end, Whole& value) {
  return std::from_chars(begin, end, value);
}

// The number that makes up the whole text; nothing if there is anything else (spaces, plus sign) or overflow.
template <typename Number>
std::optional<Number> parsedNumber(std::string_view text) {
  Number value{};
  const char* const end = text.data() + text.size();
  const auto read = fromChars(text.data(), end, value);
  if (read.ec != std::errc() || read.ptr != end) return std::nullopt;
  return value;
}

inline std::optional<double> parsedFinite(std::string_view text) {
  const auto value = parsedNumber<double>(text);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

}  // namespace plastiscope
