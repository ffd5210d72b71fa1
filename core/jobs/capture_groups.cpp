#include "core/jobs/capture_groups.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "core/base/memory.h"
#include "core/capture/position_sampler.h"

namespace plastiscope {

namespace {

constexpr std::int64_t kGroupTokens = 8192, kGroupTokensOnGpu = 65536;

std::int64_t tokensOf(const CaptureSetup& setup, std::int64_t example) {
  return std::ssize(setup.text(example).tokens);
}

std::uint64_t tokensInAll(const CaptureSetup& setup) {
  std::uint64_t tokens = 0;
  for (const CaptureExample& example : setup.examples) tokens += example.tokens.size();
  return tokens;
}

// Bytes of a file besides its vectors: groups and attributes, a header for each head, tokens with their
// words.
double structureBytes(const CaptureSetup& setup) {
  constexpr double kFile = 60e3, kHead = 700, kToken = 8;
  double heads = 0;
  for (const UnitBlock& block : setup.layout.blocks) heads += block.heads.size();
  return kFile + kHead * heads + kToken * tokensInAll(setup);
}

}  // namespace

GroupPlanner::GroupPlanner(const CaptureSetup& setup) : m_setup(setup), m_tokenBytes(4 * tokensInAll(setup)) {
  std::map<std::int64_t, double> numbers, dense;  // of a row, per layer
  double all = 0;
  for (const UnitBlock& block : setup.layout.blocks) {
    const double own = static_cast<double>(block.headDim) * static_cast<double>(block.heads.size());
    if (block.dense) {
      m_denseRowBytes = std::max(m_denseRowBytes, 4 * (dense[block.layer] += own));
      continue;
    }
    all += own;
    m_rowBytes = std::max(m_rowBytes, 4 * (numbers[block.layer] += own));
  }
  m_lastShare = dense.empty() && !setup.layout.loss ? numbers.rbegin()->second / all : 0;
  m_perToken = forwardOf({2, 1}).peakBytes - forwardOf({1, 1}).peakBytes;
}

std::int64_t GroupPlanner::tokens(std::int64_t example) const {
  return tokensOf(m_setup, example);
}

std::int64_t GroupPlanner::tokens(const CaptureGroup& group) const {
  std::int64_t sum = 0;
  for (const std::int64_t example : group) sum += tokens(example);
  return sum;
}

const GroupPlanner::Text& GroupPlanner::text(std::int64_t tokens) const {
  const auto found = m_texts.find(tokens);
  if (found != m_texts.end()) return found->second;
  const CapturePlan& plan = m_setup.plan;
  const SamplerSettings sampling{plan.window, plan.bucketSize, plan.rate};
  return m_texts[tokens] = {positionSampler(plan.sampler).expectedRows(sampling, tokens),
                            expectedUnitBytes(plan, m_setup.layout, tokens),
                            m_setup.engine->flops(m_setup.model->spec, {size(tokens)}, m_setup.lastLayer),
                            forwardOf({tokens, tokens})};
}

ForwardMemory GroupPlanner::forwardOf(const GroupSize& size) const {
  return m_setup.engine->memory(m_setup.model->spec, size, m_setup.lastLayer, m_setup.device,
                                m_setup.forward);
}

// Queries and keys of the last layer are sampled independently, so some positions have both.
TextSize GroupPlanner::size(std::int64_t tokens) const {
  const CapturePlan& plan = m_setup.plan;
  if (hasDense(m_setup.layout, m_setup.lastLayer)) return {tokens, tokens};
  const SamplerSettings sampling{plan.window, plan.bucketSize, plan.rate};
  const auto all = std::max(1.0, static_cast<double>(tokens));
  const double rows = positionSampler(plan.sampler).expectedRows(sampling, tokens);
  const double read = plan.paired ? rows : rows + rows * (1 - rows / all);
  return {tokens, static_cast<std::int64_t>(std::llround(read))};
}

double GroupPlanner::flops(std::int64_t example) const {
  const std::int64_t all = tokens(example);
  if (!m_setup.text(example).scoresLastLayer) return text(all).flops;
  return m_setup.engine->flops(m_setup.model->spec, {{all, all}}, m_setup.lastLayer);
}

double GroupPlanner::flops(const CaptureGroup& group) const {
  double sum = 0;
  for (const std::int64_t example : group) sum += flops(example);
  return sum;
}

void GroupPlanner::add(std::int64_t tokens, Sum& sum) const {
  const Text& one = text(tokens);
  sum.size.tokens += tokens;
  sum.size.longest = std::max(sum.size.longest, tokens);
  sum.units += one.unitBytes;
  sum.largestUnit = std::max(sum.largestUnit, one.unitBytes);
  sum.mostRows = std::max(sum.mostRows, one.rows);
}

// Bytes of the float32 vectors of a layer and text on their way to the sink.
double GroupPlanner::takenBytes(const Sum& sum) const {
  return sum.mostRows * m_rowBytes + sum.size.longest * m_denseRowBytes;
}

// Bytes of all tokens plus the larger of: before the last layer, units without its vectors and the float32
// vectors of a layer on their way to the sink; in the last layer, complete units and the encoded copy of one.
std::uint64_t GroupPlanner::memory(const Sum& sum) const {
  const auto whole = [](double bytes) { return static_cast<std::uint64_t>(1.1 * bytes); };
  const std::uint64_t rows = whole(takenBytes(sum));
  const std::uint64_t before = whole(sum.units * (1 - m_lastShare)) + rows;
  const std::uint64_t last = whole(sum.units + sum.largestUnit) + rows;
  // On a GPU the forward pass counts its own memory; this adds the copy of a state.
  if (m_setup.onGpu())
    return m_tokenBytes + std::max(before, last) +
           m_setup.engine->stateBytes(m_setup.model->spec, sum.size, m_setup.device);
  const ForwardMemory& forward = text(sum.size.longest).forward;
  const std::uint64_t others = (sum.size.tokens - sum.size.longest) * m_perToken;
  return m_tokenBytes + others + std::max(forward.peakBytes + before, forward.lastBytes + last);
}

std::uint64_t GroupPlanner::memory(const CaptureGroup& group) const {
  Sum sum;
  for (const std::int64_t example : group) add(tokens(example), sum);
  return memory(sum);
}

// Includes the vectors kept on the GPU until a text has passed the layer.
std::uint64_t GroupPlanner::gpuMemory(const CaptureGroup& group, const DeviceMemory& room) const {
  Sum sum;
  for (const std::int64_t example : group) add(tokens(example), sum);
  return m_setup.engine->fit(m_setup.model->spec, sum.size, m_setup.lastLayer, room, m_setup.forward).bytes +
         static_cast<std::uint64_t>(takenBytes(sum));
}

std::uint64_t GroupPlanner::memoryOfText(std::int64_t tokens) const {
  Sum sum;
  add(tokens, sum);
  return memory(sum);
}

std::uint64_t GroupPlanner::stateBytes(const CaptureGroup& group) const {
  Sum sum;
  for (const std::int64_t example : group) add(tokens(example), sum);
  return m_setup.engine->stateBytes(m_setup.model->spec, sum.size, m_setup.device) +
         static_cast<std::uint64_t>(takenBytes(sum));
}

std::uint64_t GroupPlanner::parkedBytes(const CaptureGroup& group) const {
  double units = 0;
  for (const std::int64_t example : group) units += text(tokens(example)).unitBytes;
  return 2 * stateBytes(group) + static_cast<std::uint64_t>(units);
}

std::int64_t GroupPlanner::enoughTokens() const {
  return m_setup.onGpu() ? kGroupTokensOnGpu : kGroupTokens;
}

CaptureGroup GroupPlanner::first(std::span<const std::int64_t> remaining, std::int64_t enoughTokens,
                                 std::uint64_t memoryLimit) const {
  CaptureGroup group;
  Sum sum;
  for (const std::int64_t example : remaining) {
    if (sum.size.tokens >= enoughTokens) break;
    add(tokens(example), sum);
    if (!group.empty() && memory(sum) > memoryLimit) break;
    group.push_back(example);
  }
  return group;
}

std::vector<CaptureGroup> GroupPlanner::all(const std::vector<std::int64_t>& remaining,
                                            std::uint64_t memoryLimit, Progress& progress) const {
  std::vector<CaptureGroup> groups;
  for (std::span<const std::int64_t> rest = remaining; !rest.empty();) {
    progress.throwIfStopped();
    groups.push_back(first(rest, enoughTokens(), memoryLimit));
    rest = rest.subspan(groups.back().size());
  }
  return groups;
}

bool fitsReadingAhead(const CaptureSetup& setup, std::uint64_t memoryLimit) {
  std::int64_t longest = 0;
  for (const CaptureExample& example : setup.examples)
    longest = std::max(longest, std::ssize(example.tokens));
  return GroupPlanner(setup).memoryOfText(longest) <= memoryLimit;
}

std::uint64_t memoryLimitOf(const CaptureRequest& request) {
  return request.memoryLimit > 0 ? request.memoryLimit : availableMemoryBytes() / 5 * 4;
}

std::int64_t fittingWindow(const CaptureSetup& setup, std::uint64_t memoryLimit) {
  const GroupPlanner planner(setup);
  std::int64_t fits = 0, tooLong = setup.plan.window;
  while (tooLong - fits > std::max<std::int64_t>(1, setup.plan.window / 64)) {
    const std::int64_t middle = std::midpoint(fits, tooLong);
    (planner.memoryOfText(middle) <= memoryLimit ? fits : tooLong) = middle;
  }
  return fits;
}

std::uint64_t sealedBytes(const CaptureSetup& setup) {
  double bytes = structureBytes(setup);
  for (const CaptureExample& example : setup.examples)
    bytes += expectedUnitBytes(setup.plan, setup.layout, std::ssize(example.tokens));
  return static_cast<std::uint64_t>(bytes);
}

std::uint64_t diskNeed(const CaptureSetup& setup, const std::vector<CaptureGroup>& groups) {
  constexpr double kMargin = 1.05, kSpare = 1e6, kUnit = 8e3;
  const GroupPlanner planner(setup);
  double bytes = kSpare + 4 * structureBytes(setup), parked = 0;
  const auto unitBytes = [&](std::int64_t example) {
    return expectedUnitBytes(setup.plan, setup.layout, tokensOf(setup, example));
  };
  for (const CaptureGroup& group : groups) {
    for (const std::int64_t example : group) bytes += kUnit + kMargin * unitBytes(example);
    parked = std::max(parked, static_cast<double>(planner.parkedBytes(group)));
  }
  for (const UnitFacts& facts : setup.facts) bytes += kMargin * unitBytes(facts.example);
  return static_cast<std::uint64_t>(bytes + kMargin * parked);
}

}  // namespace plastiscope
