#pragma once
// Numbers from texts, independent of the locale.
#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>

namespace plastiscope {

// The number that makes up the whole text; nothing if there is anything else (spaces, plus sign) or overflow.
template <typename Number>
std::optional<Number> parsedNumber(std::string_view text) {
  Number value{};
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, value);
  if (read.ec != std::errc() || read.ptr != end) return std::nullopt;
  return value;
}

inline std::optional<double> parsedFinite(std::string_view text) {
  const auto value = parsedNumber<double>(text);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

}  // namespace plastiscope
