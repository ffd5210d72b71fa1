#include "core/capture/head_list.h"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "core/base/error.h"
#include "core/base/foreign_text.h"

namespace plastiscope {

namespace {

constexpr std::int64_t kMaxNumber = 999999;
constexpr std::int64_t kMaxNamed = 100000;  // per list, repeats included; the largest models have some 20,000

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
  if (result.ec != std::errc() || value < 0 || value > kMaxNumber || text.front() == '-') return false;
  text.remove_prefix(static_cast<std::size_t>(result.ptr - text.data()));
  return true;
}

bool takeLetter(std::string_view& text, char upper) {
  if (text.empty() || (text.front() != upper && text.front() != upper - 'A' + 'a')) return false;
  text.remove_prefix(1);
  return true;
}

// Parses "3" or "0-7"; false if anything follows.
bool takeRange(std::string_view& text, NumberRange& range) {
  if (!takeNumber(text, range.first)) return false;
  range.last = range.first;
  if (!text.empty() && text.front() == '-') {
    text.remove_prefix(1);
    if (!takeNumber(text, range.last)) return false;
  }
  return text.empty() && range.first <= range.last;
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

// Bounds the number of members of all ranges of a list together.
void requireFew(std::int64_t more, std::size_t before, const std::string& what) {
  if (more <= kMaxNamed - static_cast<std::int64_t>(before)) return;
  throw UsageError("a list may name at most " + withCommas(kMaxNamed) + " " + what + ", found more");
}

}  // namespace

std::string HeadName::text() const {
  return "L" + std::to_string(layer) + "H" + std::to_string(head);
}

std::string headListText(std::span<const HeadName> heads) {
  std::string text;
  for (std::size_t i = 0; i < heads.size();) {
    std::size_t end = i + 1;
    while (end < heads.size() && heads[end] == HeadName{heads[i].layer, heads[end - 1].head + 1}) ++end;
    text += (text.empty() ? "" : ",") + heads[i].text();
    if (end - i > 1) text += "-" + std::to_string(heads[end - 1].head);
    i = end;
  }
  return text;
}

std::vector<HeadRange> parseHeadRanges(const std::string& text) {
  std::vector<HeadRange> ranges;
  for (const std::string_view part : split(text)) {
    std::string_view rest = part;
    HeadRange& range = ranges.emplace_back();
    if (!takeLetter(rest, 'L') || !takeNumber(rest, range.layer) || !takeLetter(rest, 'H') ||
        !takeRange(rest, range.heads)) {
      failPart(part, "heads such as L12H6 or L3H0-7, separated by commas");
    }
  }
  return ranges;
}

std::vector<NumberRange> parseLayerRanges(const std::string& text) {
  std::vector<NumberRange> ranges;
  for (const std::string_view part : split(text)) {
    std::string_view rest = part;
    if (!takeRange(rest, ranges.emplace_back()))
      failPart(part, "layers such as 9 or 0-5, separated by commas");
  }
  return ranges;
}

std::vector<HeadName> parseHeadList(const std::string& text) {
  std::vector<HeadName> heads;
  for (const HeadRange& range : parseHeadRanges(text)) {
    requireFew(range.heads.last - range.heads.first + 1, heads.size(), "heads");
    for (std::int64_t head = range.heads.first; head <= range.heads.last; ++head)
      heads.push_back({range.layer, head});
  }
  return sortedOnce(std::move(heads));
}

std::vector<std::int64_t> parseLayerList(const std::string& text) {
  std::vector<std::int64_t> layers;
  for (const NumberRange& range : parseLayerRanges(text)) {
    requireFew(range.last - range.first + 1, layers.size(), "layers");
    for (std::int64_t layer = range.first; layer <= range.last; ++layer) layers.push_back(layer);
  }
  return sortedOnce(std::move(layers));
}

std::vector<HeadName> headsMeant(const std::string& list, std::span<const HeadName> there,
                                 const std::string& done) {
  std::vector<HeadName> meant;
  for (const HeadRange& range : parseHeadRanges(list)) {
    const std::size_t before = meant.size();
    for (const HeadName& head : there) {
      if (head.layer == range.layer && head.head >= range.heads.first && head.head <= range.heads.last)
        meant.push_back(head);
    }
    if (meant.size() > before) continue;
    const std::string name = HeadName{range.layer, range.heads.first}.text();
    throw UsageError(range.heads.single() ? "head " + name + " was not " + done
                                          : "none of the heads " + name + "-" +
                                                std::to_string(range.heads.last) + " was " + done);
  }
  return sortedOnce(std::move(meant));
}

std::vector<std::int64_t> layersMeant(const std::string& list, std::span<const std::int64_t> there) {
  std::vector<std::int64_t> meant;
  for (const NumberRange& range : parseLayerRanges(list)) {
    const std::size_t before = meant.size();
    for (const std::int64_t layer : there) {
      if (layer >= range.first && layer <= range.last) meant.push_back(layer);
    }
    if (meant.size() > before) continue;
    throw UsageError(range.single() ? "layer " + std::to_string(range.first) + " has no captured heads"
                                    : "none of the layers " + std::to_string(range.first) + "-" +
                                          std::to_string(range.last) + " has captured heads");
  }
  return sortedOnce(std::move(meant));
}

std::vector<HeadName> headsMeant(const std::string& list, const ModelSpec& spec) {
  std::vector<HeadName> meant;
  for (const HeadRange& range : parseHeadRanges(list)) {
    // Keeps at least the first head of the range, so that requireHeads() can name it if none exists.
    const std::int64_t last = std::max(range.heads.first, std::min(range.heads.last, spec.queryHeads - 1));
    for (std::int64_t head = range.heads.first; head <= last; ++head) meant.push_back({range.layer, head});
  }
  meant = sortedOnce(std::move(meant));
  requireHeads(meant, spec);
  return meant;
}

void requireHeads(const std::vector<HeadName>& heads, const ModelSpec& spec) {
  for (const HeadName& name : heads) {
    if (name.layer >= spec.layerCount || name.head >= spec.queryHeads) {
      throw UsageError("head " + name.text() + ": the model has layers 0 to " +
                       std::to_string(spec.layerCount - 1) + " and query heads 0 to " +
                       std::to_string(spec.queryHeads - 1));
    }
    const LayerSpec& layer = spec.layers.at(static_cast<std::size_t>(name.layer));
    if (!layer.hasVectors())
      throw UsageError("head " + name.text() + ": its layer has " + std::string(nameOf(layer.attention)) +
                       " attention, which has no vectors to capture");
  }
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
    return {stratified ? Kind::Stratified : Kind::Count, count};
  }
  if (!text.empty() && (text.front() == 'L' || text.front() == 'l')) {
    parseHeadList(text);
    return {Kind::List, 0};
  }
  throw UsageError("--heads " + sanitized(text) +
                   " is not understood: expected a count above 0, all, stratified:N, or a list such "
                   "as L12H6,L3H0-7");
}

}  // namespace plastiscope
