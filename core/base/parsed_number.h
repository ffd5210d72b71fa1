#pragma once
// Numbers that stand in texts, whatever the locale.
#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>

namespace plastiscope {

// The number that the whole text is: no spaces, no plus; nothing where it is none or does not fit.
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
