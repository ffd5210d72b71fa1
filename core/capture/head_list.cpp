// The texts that name heads and layers: "L12H6,L3H0-7", "0-5,9", and what --heads accepts.
#include <algorithm>
#include <charconv>
#include <string_view>

#include "core/base/error.h"
#include "core/base/foreign_text.h"
#include "core/capture/head_choice.h"

namespace plastiscope {

namespace {

constexpr std::int64_t kMostNumber = 999999;
constexpr std::int64_t kMostNamed =
    100000;  // by one list, repeats included; the largest models have some 20,000

std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t comma = text.find(',');
    std::string_view part = text.substr(0, comma);
    while (!part.empty() && part.front() == ' ') part.remove_prefix(1);
    while (!part.empty() && part.back() == ' ') part.remove_suffix(1);
    parts.push_back(part);
    if (comma == std::string_view::npos) return parts;
    text.remove_prefix(comma + 1);
  }
}

// Takes digits from the front; false when there are none or the number is too large.
bool takeNumber(std::string_view& text, std::int64_t& value) {
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  if (result.ec != std::errc() || value < 0 || value > kMostNumber || text.front() == '-') return false;
  text.remove_prefix(static_cast<std::size_t>(result.ptr - text.data()));
  return true;
}

bool takeLetter(std::string_view& text, char upper) {
  if (text.empty() || (text.front() != upper && text.front() != upper - 'A' + 'a')) return false;
  text.remove_prefix(1);
  return true;
}

// "3" or "0-7" and nothing behind it.
bool takeRange(std::string_view& text, std::int64_t& first, std::int64_t& last) {
  if (!takeNumber(text, first)) return false;
  last = first;
  if (!text.empty() && text.front() == '-') {
    text.remove_prefix(1);
    if (!takeNumber(text, last)) return false;
  }
  return text.empty() && first <= last;
}

template <typename Value>
std::vector<Value> sortedOnce(std::vector<Value> values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

[[noreturn]] void failPart(std::string_view part, const std::string& expected) {
  throw UsageError("\"" + sanitized(part) + "\" is not understood: expected " + expected);
}

// Every range is short enough by itself; together they are too.
void requireFew(std::int64_t more, std::size_t before, const std::string& what) {
  if (more <= kMostNamed - static_cast<std::int64_t>(before)) return;
  throw UsageError("a list names at most " + withCommas(kMostNamed) + " " + what +
                   ", and this one names more");
}

}  // namespace

std::string HeadName::text() const {
  return "L" + std::to_string(layer) + "H" + std::to_string(head);
}

std::vector<HeadName> parseHeadList(const std::string& text) {
  std::vector<HeadName> heads;
  for (const std::string_view part : split(text)) {
    std::string_view rest = part;
    std::int64_t layer = 0, first = 0, last = 0;
    if (!takeLetter(rest, 'L') || !takeNumber(rest, layer) || !takeLetter(rest, 'H') ||
        !takeRange(rest, first, last)) {
      failPart(part, "heads such as L12H6 or L3H0-7, separated by commas");
    }
    requireFew(last - first + 1, heads.size(), "heads");
    for (std::int64_t head = first; head <= last; ++head) heads.push_back({layer, head});
  }
  return sortedOnce(std::move(heads));
}

std::vector<std::int64_t> parseLayerList(const std::string& text) {
  std::vector<std::int64_t> layers;
  for (const std::string_view part : split(text)) {
    std::string_view rest = part;
    std::int64_t first = 0, last = 0;
    if (!takeRange(rest, first, last)) failPart(part, "layers such as 9 or 0-5, separated by commas");
    requireFew(last - first + 1, layers.size(), "layers");
    for (std::int64_t layer = first; layer <= last; ++layer) layers.push_back(layer);
  }
  return sortedOnce(std::move(layers));
}

HeadRequest parseHeadRequest(const std::string& text) {
  using Kind = HeadRequest::Kind;
  static constexpr std::string_view kStratified = "stratified:";
  const bool stratified = text.starts_with(kStratified);
  std::string_view rest = text;
  if (stratified) rest.remove_prefix(kStratified.size());
  std::int64_t count = 0;
  if (text == "all") return {};
  if (!rest.empty() && takeNumber(rest, count) && rest.empty() && count > 0) {
    return {stratified ? Kind::Stratified : Kind::Count, count, {}};
  }
  if (!text.empty() && (text.front() == 'L' || text.front() == 'l'))
    return {Kind::List, 0, parseHeadList(text)};
  throw UsageError("--heads " + sanitized(text) +
                   " is not understood: expected a count above 0, all, stratified:N, or a list such "
                   "as L12H6,L3H0-7");
}

}  // namespace plastiscope
