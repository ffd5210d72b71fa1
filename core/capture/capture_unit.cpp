#include "core/capture/capture_unit.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <unordered_map>

#include "core/base/half.h"
#include "core/base/random.h"
#include "core/capture/head_list.h"
#include "core/capture/position_sampler.h"

namespace plastiscope {

namespace {

std::vector<std::int64_t> headsOfLayer(const std::vector<HeadName>& heads, std::int64_t layer) {
  std::vector<std::int64_t> found;
  for (const HeadName& head : heads) {
    if (head.layer == layer) found.push_back(head.head);
  }
  return found;
}

// Values from here on round to infinity in float16 (half way between 65504 and 65536).
constexpr float kHalfOverflowFrom = 65520.0f;

// The largest absolute value; NaN or infinity when there is one.
float largestOf(std::span<const float> values) {
  float largest = 0;
  for (const float value : values) {
    if (!std::isfinite(value)) return value;
    largest = std::max(largest, std::fabs(value));
  }
  return largest;
}

std::vector<std::byte> halvesOf(std::span<const float> values) {
  std::vector<std::uint16_t> halves(values.size());
  floatToHalf(values, halves);
  std::vector<std::byte> bytes(values.size() * 2);
  if (!bytes.empty()) std::memcpy(bytes.data(), halves.data(), bytes.size());
  return bytes;
}

}  // namespace

UnitLayout unitLayout(const CapturePlan& plan, const ModelSpec& spec) {
  const std::vector<HeadName> queryHeads = chooseHeads(plan, spec);
  const std::vector<HeadName> keyHeads = keyHeadsOf(queryHeads, spec);
  const std::vector<HeadName> dense = chooseDenseHeads(plan, queryHeads);
  const CapturePoint first =
      plan.point == CapturePoints::PreRope ? CapturePoint::PreRope : CapturePoint::PostRope;
  UnitLayout layout{{}, plan.store == StoredFormat::Float16, plan.loss, true, spec.layerCount};
  for (std::int64_t layer = 0; layer < spec.layerCount; ++layer) {
    const auto queries = headsOfLayer(queryHeads, layer), keys = headsOfLayer(keyHeads, layer);
    if (queries.empty()) continue;
    const std::int64_t headDim = spec.layer(layer).headDim;
    layout.blocks.push_back({layer, QueryOrKey::Query, first, false, queries, headDim});
    layout.blocks.push_back({layer, QueryOrKey::Key, first, false, keys, headDim});
    if (plan.point == CapturePoints::Both) {
      layout.blocks.push_back({layer, QueryOrKey::Query, CapturePoint::PreRope, true, queries, headDim});
      layout.blocks.push_back({layer, QueryOrKey::Key, CapturePoint::PreRope, true, keys, headDim});
    }
    const auto denseQueries = headsOfLayer(dense, layer);
    if (denseQueries.empty()) continue;
    const auto denseKeys = headsOfLayer(keyHeadsOf(dense, spec), layer);
    layout.blocks.push_back({layer, QueryOrKey::Query, first, false, denseQueries, headDim, true});
    layout.blocks.push_back({layer, QueryOrKey::Key, first, false, denseKeys, headDim, true});
  }
  if (!plan.loss) layout.lastLayer = layout.blocks.back().layer;
  return layout;
}

std::vector<const UnitBlock*> UnitLayout::scoredLayers() const {
  std::vector<const UnitBlock*> all;
  if (!scores) return all;
  for (const UnitBlock& block : blocks) {
    if (all.empty() || all.back()->layer != block.layer) all.push_back(&block);
  }
  return all;
}

std::uint64_t UnitLayout::scoresBytes() const {
  std::uint64_t bytes = 0;
  for (const UnitBlock* layer : scoredLayers())
    bytes += sizeof(ScoredQueries) + sizeof(ScoreSums) * layer->heads.size();
  return bytes;
}

bool hasDense(const UnitLayout& layout, std::int64_t layer) {
  return std::ranges::any_of(layout.blocks,
                             [&](const UnitBlock& block) { return block.dense && block.layer == layer; });
}

double expectedUnitBytes(const CapturePlan& plan, const UnitLayout& layout, std::int64_t tokens) {
  const double rows =
      positionSampler(plan.sampler).expectedRows({plan.window, plan.bucketSize, plan.rate}, tokens);
  double bytes = 0;
  for (const UnitBlock& block : layout.blocks) {
    const double rowBytes = static_cast<double>(block.headDim) * (layout.half ? 2 : 4);
    if (!block.dense) bytes += rows * (8 + rowBytes * static_cast<double>(block.heads.size()));
  }
  if (layout.loss) bytes += 4 * static_cast<double>(tokens);
  return bytes + static_cast<double>(layout.scoresBytes() + denseUnitBytes(layout, tokens));
}

std::uint64_t denseUnitBytes(const UnitLayout& layout, std::int64_t tokens) {
  std::uint64_t bytes = 0;
  for (const UnitBlock& block : layout.blocks) {
    const std::uint64_t rowBytes = static_cast<std::uint64_t>(block.headDim) * (layout.half ? 2 : 4);
    if (block.dense) bytes += static_cast<std::uint64_t>(tokens) * (8 + rowBytes * block.heads.size());
  }
  return bytes;
}

// ---- the sink

CaptureSink::CaptureSink(CapturePlan plan, UnitLayout layout)
    : m_plan(std::move(plan)), m_layout(std::move(layout)) {}

void CaptureSink::begin(std::int64_t number, const CaptureExample& example) {
  const std::string all = "all";
  const PositionSampler &sampler = positionSampler(m_plan.sampler), &every = positionSampler(all);
  const SamplerSettings settings{m_plan.window, m_plan.bucketSize, m_plan.rate};
  CaptureUnit unit{number, {}, {}};
  Scoring& scoring = m_scoring[number] = {example.scoresLastLayer, {}};
  const auto tokens = std::ssize(example.tokens);
  for (std::int64_t t = tokens / 2 + tokens % 2; example.probe && t < tokens; ++t)
    scoring.probe.push_back(static_cast<std::int32_t>(t));
  for (const UnitBlock* layer : m_layout.scoredLayers())
    unit.scores[layer->layer].heads.resize(layer->heads.size());
  for (const UnitBlock& block : m_layout.blocks) {
    const bool asQuery = block.kind == QueryOrKey::Query || m_plan.paired;
    const std::uint64_t seed = sampleSeed(example.seedId, block.layer,
                                          asQuery ? QueryOrKey::Query : QueryOrKey::Key, m_plan.sampleSeed);
    const PositionSampler& taken = block.dense ? every : sampler;
    SampledRows rows = taken.sample(settings, seed, example.probe ? 0 : tokens);
    std::vector<UnitHead> heads;
    // The forward pass calls take() only for wanted rows: a short example may have none in a layer.
    if (rows.positions.empty()) heads.assign(block.heads.size(), {m_layout.half, {}});
    unit.blocks.push_back({std::move(rows.positions), std::move(rows.buckets), std::move(heads)});
  }
  m_units[number] = std::move(unit);
}

CaptureUnit CaptureSink::finish(std::int64_t number) {
  auto node = m_units.extract(number);
  m_scoring.erase(number);
  if (node.empty()) throw Error(ErrorKind::Internal, "example " + std::to_string(number) + " was not begun");
  for (std::size_t i = 0; i < m_layout.blocks.size(); ++i) {
    if (node.mapped().blocks[i].heads.size() == m_layout.blocks[i].heads.size()) continue;
    throw Error(ErrorKind::Internal, "layer " + std::to_string(m_layout.blocks[i].layer) +
                                         " gave no vectors for example " + std::to_string(number));
  }
  return std::move(node.mapped());
}

void CaptureSink::restore(std::int64_t number, std::size_t block, std::vector<UnitHead> heads) {
  m_units.at(number).blocks[block].heads = std::move(heads);
}

int CaptureSink::blockOf(std::int64_t layer, QueryOrKey kind, CapturePoint point) const {
  for (std::size_t i = 0; i < m_layout.blocks.size(); ++i) {
    const UnitBlock& block = m_layout.blocks[i];
    if (block.layer == layer && block.kind == kind && block.point == point && !block.dense)
      return static_cast<int>(i);
  }
  return -1;
}

int CaptureSink::denseBlockOf(std::int64_t layer, QueryOrKey kind) const {
  const auto found = std::ranges::find_if(m_layout.blocks, [&](const UnitBlock& block) {
    return block.layer == layer && block.kind == kind && block.dense;
  });
  return found == m_layout.blocks.end() ? -1 : static_cast<int>(found - m_layout.blocks.begin());
}

int CaptureSink::anyBlockOf(std::int64_t layer, QueryOrKey kind) const {
  const int block = blockOf(layer, kind, CapturePoint::PostRope);
  return block >= 0 ? block : blockOf(layer, kind, CapturePoint::PreRope);
}

std::vector<std::int32_t> CaptureSink::heads(std::int64_t layer, QueryOrKey kind) const {
  const int block = anyBlockOf(layer, kind);
  if (block < 0) return {};
  const auto& wanted = m_layout.blocks[static_cast<std::size_t>(block)].heads;
  return {wanted.begin(), wanted.end()};
}

std::vector<std::int32_t> CaptureSink::positions(std::int64_t layer, QueryOrKey kind,
                                                 std::int64_t example) const {
  const int block = anyBlockOf(layer, kind);
  if (block < 0) return {};
  return m_units.at(example).blocks[static_cast<std::size_t>(block)].positions;
}

bool CaptureSink::wants(CapturePoint point) const {
  return std::any_of(m_layout.blocks.begin(), m_layout.blocks.end(),
                     [&](const UnitBlock& block) { return block.point == point && !block.dense; });
}

std::vector<std::int32_t> CaptureSink::denseHeads(std::int64_t layer, QueryOrKey kind) const {
  const int block = denseBlockOf(layer, kind);
  if (block < 0) return {};
  const auto& wanted = m_layout.blocks[static_cast<std::size_t>(block)].heads;
  return {wanted.begin(), wanted.end()};
}

bool CaptureSink::wantsDense(CapturePoint point) const {
  return std::ranges::any_of(m_layout.blocks,
                             [&](const UnitBlock& block) { return block.point == point && block.dense; });
}

UnitHead CaptureSink::storedHead(std::span<const float> vectors, const UnitBlock& block,
                                 std::size_t head) const {
  const float largest = largestOf(vectors);
  if (!std::isfinite(largest)) {
    throw NotFinite("layer " + std::to_string(block.layer) + ", " +
                    (block.kind == QueryOrKey::Query ? "query" : "key") + " head " +
                    std::to_string(block.heads[head]) +
                    ": a vector holds a value that is not a finite number");
  }
  if (m_layout.half && largest < kHalfOverflowFrom) return {true, halvesOf(vectors)};
  const auto bytes = std::as_bytes(vectors);
  return {false, {bytes.begin(), bytes.end()}};
}

void CaptureSink::take(std::int64_t layer, QueryOrKey kind, CapturePoint point, std::int64_t example,
                       std::span<const float> vectors) {
  if (const int block = blockOf(layer, kind, point); block >= 0)
    take(static_cast<std::size_t>(block), example, vectors);
}

void CaptureSink::takeDense(std::int64_t layer, QueryOrKey kind, std::int64_t example,
                            std::span<const float> vectors) {
  const bool probe = !m_scoring.at(example).probe.empty();
  if (const int block = denseBlockOf(layer, kind); block >= 0 && !probe)
    take(static_cast<std::size_t>(block), example, vectors);
}

std::vector<std::int32_t> CaptureSink::scoredQueries(std::int64_t layer, std::int64_t example) const {
  const Scoring& scoring = m_scoring.at(example);
  const int block = anyBlockOf(layer, QueryOrKey::Query);
  if (!m_layout.scores || block < 0 || (layer == m_layout.lastLayer && !scoring.lastLayer)) return {};
  if (!scoring.probe.empty()) return scoring.probe;
  std::vector<std::int32_t> all = m_units.at(example).blocks[static_cast<std::size_t>(block)].positions, some;
  if (!all.empty() && all.front() == 0) all.erase(all.begin());  // sees only itself
  const std::int64_t count = std::ssize(all), few = std::min(count, kScoredQueries);
  for (std::int64_t k = 0; k < few; ++k)
    some.push_back(all[static_cast<std::size_t>((2 * k + 1) * count / (2 * few))]);
  return some;
}

void CaptureSink::takeScores(std::int64_t layer, std::int64_t example, TextScores scores) {
  const auto isFinite = [](const ScoreSums& sums) {
    return std::ranges::all_of(sums, [](double sum) { return std::isfinite(sum); });
  };
  TextScores& kept = m_units.at(example).scores.at(layer);
  if (scores.heads.size() != kept.heads.size())
    throw Error(ErrorKind::Internal, "layer " + std::to_string(layer) + " gave scores of other heads");
  if (!std::ranges::all_of(scores.heads, isFinite)) {
    throw NotFinite("layer " + std::to_string(layer) + ", example " + std::to_string(example) +
                    ": an attention score is not a finite number");
  }
  kept = std::move(scores);
}

void CaptureSink::takeLosses(std::int64_t example, std::span<const float> losses) {
  for (std::size_t t = 1; t < losses.size(); ++t) {
    if (std::isfinite(losses[t])) continue;
    throw NotFinite("token " + std::to_string(t) + " of example " + std::to_string(example) +
                    ": the model's output is not a finite number");
  }
  m_units.at(example).losses.assign(losses.begin(), losses.end());
}

void CaptureSink::take(std::size_t index, std::int64_t example, std::span<const float> vectors) {
  const UnitBlock& block = m_layout.blocks[index];
  UnitRows& rows = m_units.at(example).blocks[index];
  const std::size_t perHead = rows.positions.size() * static_cast<std::size_t>(block.headDim);
  if (vectors.size() != perHead * block.heads.size()) {
    throw Error(ErrorKind::Internal,
                "layer " + std::to_string(block.layer) + " gave another number of vectors than asked for");
  }
  rows.heads.clear();
  for (std::size_t head = 0; head < block.heads.size(); ++head) {
    rows.heads.push_back(storedHead(vectors.subspan(head * perHead, perHead), block, head));
  }
}

// ---- Passages

std::vector<std::int32_t> firstPlacesOf(std::span<const std::int32_t> tokens) {
  std::vector<std::int32_t> places(tokens.size(), -1);
  std::unordered_multimap<std::uint64_t, std::int64_t> firsts;  // ends of passages, by a hash of their tokens
  const auto passage = [&](std::int64_t end) {
    return tokens.subspan(static_cast<std::size_t>(end + 1 - kPassageTokens), kPassageTokens);
  };
  for (std::int64_t end = kPassageTokens - 1; end < std::ssize(tokens); ++end) {
    std::uint64_t key = kSeedStart;
    for (const std::int32_t token : passage(end)) key = combine(key, static_cast<std::uint64_t>(token));
    const auto [begin, stop] = firsts.equal_range(key);
    const auto same = std::find_if(begin, stop, [&](const auto& first) {
      return std::ranges::equal(passage(first.second), passage(end));
    });
    if (same != stop)
      places[static_cast<std::size_t>(end)] = static_cast<std::int32_t>(same->second);
    else
      firsts.emplace(key, end);
  }
  return places;
}

}  // namespace plastiscope
