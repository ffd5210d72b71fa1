#include "core/capture/head_list.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <numeric>
#include <random>
#include <string_view>
#include <unordered_set>

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

std::optional<HeadName> headNamed(const std::string& text) {
  constexpr std::size_t kLongest = 16;  // longer texts cannot name a head
  if (text.size() > kLongest || text.find_first_of(",-") != std::string::npos) return std::nullopt;
  try {
    const auto heads = parseHeadList(text);
    if (heads.size() == 1) return heads.front();
  } catch (const Error&) {  // another kind of text
  }
  return std::nullopt;
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

// ---- Choice of heads

namespace {

// A seeding of std::mt19937 by an array of words (init_by_array of Matsumoto and Nishimura 2002), as Python's
// random.Random(seed) does it with the 32-bit words of its seed, lowest first, at least one.
class PythonSeeding {
 public:
  using result_type = std::uint32_t;
  explicit PythonSeeding(std::uint64_t seed)
      : m_words{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)} {
    if (m_words[1] == 0) m_words.resize(1);
  }

  template <typename Iterator>
  void generate(Iterator begin, Iterator end) const {
    const auto size = static_cast<std::size_t>(end - begin);
    begin[0] = 19650218U;
    for (std::size_t i = 1; i < size; ++i)
      begin[i] = 1812433253U * (begin[i - 1] ^ (begin[i - 1] >> 30)) + static_cast<std::uint32_t>(i);
    std::size_t i = 1, j = 0;
    const auto mixed = [&](std::uint32_t factor) {
      return begin[i] ^ ((begin[i - 1] ^ (begin[i - 1] >> 30)) * factor);
    };
    const auto advance = [&] {
      if (++i < size) return;
      begin[0] = begin[size - 1];
      i = 1;
    };
    for (std::size_t k = size; k > 0; --k) {
      begin[i] = mixed(1664525U) + m_words[j] + static_cast<std::uint32_t>(j);
      advance();
      if (++j == m_words.size()) j = 0;
    }
    for (std::size_t k = size - 1; k > 0; --k) {
      begin[i] = mixed(1566083941U) - static_cast<std::uint32_t>(i);
      advance();
    }
    begin[0] = 0x80000000U;
  }

 private:
  std::vector<std::uint32_t> m_words;
};

// Random.randbelow: the top bits of one output, drawn again until they are below n.
std::int64_t randomBelow(std::mt19937& generator, std::int64_t n) {
  const int bits = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(n)));
  while (true) {
    const auto value = static_cast<std::int64_t>(static_cast<std::uint32_t>(generator()) >> (32 - bits));
    if (value < n) return value;
  }
}

// Above this population size Python keeps a set instead of a pool.
std::int64_t poolLimit(std::int64_t count) {
  if (count <= 5) return 21;
  std::int64_t power = 1;
  while (power < 3 * count) power *= 4;
  return 21 + power;
}

bool isEligible(const LayerSpec& layer, const CapturePlan& plan) {
  return plan.allLayers || layer.window == 0;
}

std::vector<HeadName> headsOfLayers(const CapturePlan& plan, const ModelSpec& spec, bool onlyWithVectors) {
  std::vector<HeadName> heads;
  for (std::int64_t l = 0; l < spec.layerCount; ++l) {
    const LayerSpec& layer = spec.layers.at(static_cast<std::size_t>(l));
    if (!isEligible(layer, plan) || (onlyWithVectors && !layer.hasVectors())) continue;
    for (std::int64_t head = 0; head < spec.queryHeads; ++head) heads.push_back({l, head});
  }
  return heads;
}

// With author_parity, layers without vectors take part in the draw and are removed afterwards, as in the
// thesis' tool (method.md, Head choice).
std::vector<HeadName> countedHeads(const CapturePlan& plan, const ModelSpec& spec, std::int64_t count) {
  const std::vector<HeadName> candidates = headsOfLayers(plan, spec, !plan.authorParity);
  const auto n = static_cast<std::int64_t>(candidates.size());
  std::vector<HeadName> heads;
  if (n <= count) {
    heads = candidates;
  } else {
    for (const std::int64_t i : pythonSample(plan.headSeed, n, count)) {
      heads.push_back(candidates[static_cast<std::size_t>(i)]);
    }
  }
  std::erase_if(heads, [&](const HeadName& head) {
    return !spec.layers[static_cast<std::size_t>(head.layer)].hasVectors();
  });
  return heads;
}

std::vector<HeadName> stratifiedHeads(const CapturePlan& plan, const ModelSpec& spec, std::int64_t count) {
  std::vector<std::int64_t> layers;
  for (const HeadName& head : headsOfLayers(plan, spec, true)) {
    if (layers.empty() || layers.back() != head.layer) layers.push_back(head.layer);
  }
  std::vector<HeadName> heads;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const auto layerCount = static_cast<std::int64_t>(layers.size());
    const std::int64_t share =
        count / layerCount + (static_cast<std::int64_t>(i) < count % layerCount ? 1 : 0);
    const std::uint64_t seed = plan.headSeed + static_cast<std::uint64_t>(layers[i]);
    for (const std::int64_t head : pythonSample(seed, spec.queryHeads, std::min(share, spec.queryHeads))) {
      heads.push_back({layers[i], head});
    }
  }
  return heads;
}

std::vector<HeadName> listedHeads(const CapturePlan& plan, const ModelSpec& spec) {
  std::vector<HeadName> heads = headsMeant(plan.heads, spec);
  for (const HeadName& name : heads) {
    if (!isEligible(spec.layers[static_cast<std::size_t>(name.layer)], plan)) {
      throw UsageError("head " + name.text() + ": its layer has a window; add --all-layers to take it");
    }
  }
  return heads;
}

std::vector<HeadName> requestedHeads(const CapturePlan& plan, const ModelSpec& spec) {
  const HeadRequest request = parseHeadRequest(plan.heads);
  switch (request.kind) {
    case HeadRequest::Kind::All:
      return headsOfLayers(plan, spec, true);
    case HeadRequest::Kind::Count:
      return countedHeads(plan, spec, request.count);
    case HeadRequest::Kind::Stratified:
      return stratifiedHeads(plan, spec, request.count);
    case HeadRequest::Kind::List:
      break;
  }
  return listedHeads(plan, spec);
}

}  // namespace

std::vector<std::int64_t> pythonSample(std::uint64_t seed, std::int64_t n, std::int64_t count) {
  if (count < 0 || count > n || n > INT32_MAX)
    throw Error(ErrorKind::Internal, "pythonSample: count above n");
  PythonSeeding seeding(seed);
  std::mt19937 generator(seeding);
  std::vector<std::int64_t> sample;
  if (n <= poolLimit(count)) {
    std::vector<std::int64_t> pool(static_cast<std::size_t>(n));
    std::iota(pool.begin(), pool.end(), 0);
    for (std::int64_t left = n; left > n - count; --left) {
      const auto j = static_cast<std::size_t>(randomBelow(generator, left));
      sample.push_back(pool[j]);
      pool[j] = pool[static_cast<std::size_t>(left - 1)];
    }
    return sample;
  }
  std::unordered_set<std::int64_t> taken;
  while (static_cast<std::int64_t>(sample.size()) < count) {
    const std::int64_t value = randomBelow(generator, n);
    if (taken.insert(value).second) sample.push_back(value);
  }
  return sample;
}

std::vector<HeadName> chooseHeads(const CapturePlan& plan, const ModelSpec& spec) {
  std::vector<HeadName> heads = requestedHeads(plan, spec);
  std::sort(heads.begin(), heads.end());
  if (heads.empty()) {
    throw UsageError(
        "no head is left to capture: every layer has a window or no vectors; --all-layers takes the layers "
        "with a window too");
  }
  return heads;
}

std::vector<HeadName> chooseDenseHeads(const CapturePlan& plan, const std::vector<HeadName>& chosen) {
  if (plan.dense.empty()) return {};
  if (plan.dense == kAllHeads) return chosen;
  try {
    return headsMeant(plan.dense, chosen, "chosen by --heads");
  } catch (const UsageError& error) {
    throw UsageError(std::string("--dense: ") + error.what());
  }
}

std::vector<HeadName> keyHeadsOf(const std::vector<HeadName>& queryHeads, const ModelSpec& spec) {
  std::vector<HeadName> keys;
  for (const HeadName& head : queryHeads)
    keys.push_back({head.layer, head.head / spec.groupSize(head.layer)});
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  return keys;
}

}  // namespace plastiscope
