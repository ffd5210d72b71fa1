#include "core/jobs/capture_groups.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/memory.h"
#include "core/capture/position_sampler.h"

namespace plastiscope {

namespace {

constexpr std::int64_t kGroupTokens = 8192, kGroupTokensOnGpu = 65536;

std::int64_t tokensOf(const CaptureSetup& setup, std::int64_t example) {
  return static_cast<std::int64_t>(setup.examples[static_cast<std::size_t>(example)].tokens.size());
}

std::uint64_t tokensInAll(const CaptureSetup& setup) {
  std::uint64_t tokens = 0;
  for (const CaptureExample& example : setup.examples) tokens += example.tokens.size();
  return tokens;
}

// What a file holds beside its vectors: groups and attributes, a header for each head, tokens with their
// words.
double structureBytes(const CaptureSetup& setup) {
  constexpr double kFile = 60e3, kHead = 700, kToken = 8;
  double heads = 0;
  for (const UnitBlock& block : setup.layout.blocks) heads += static_cast<double>(block.heads.size());
  return kFile + kHead * heads + kToken * static_cast<double>(tokensInAll(setup));
}

}  // namespace

GroupPlanner::GroupPlanner(const CaptureSetup& setup) : m_setup(setup), m_tokenBytes(4 * tokensInAll(setup)) {
  for (const UnitBlock& block : setup.layout.blocks) {
    const double numbers = static_cast<double>(block.headDim) * static_cast<double>(block.heads.size());
    m_rowBytes = std::max(m_rowBytes, 4 * numbers);
  }
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
                            flopsBefore(m_setup.model->spec, {size(tokens)}, m_setup.lastLayer,
                                        {m_setup.lastLayer + 1, 0, 0})};
}

// Queries and keys of the last layer are drawn one by one, so some rows are both.
TextSize GroupPlanner::size(std::int64_t tokens) const {
  const CapturePlan& plan = m_setup.plan;
  const SamplerSettings sampling{plan.window, plan.bucketSize, plan.rate};
  const auto all = std::max(1.0, static_cast<double>(tokens));
  const double rows = positionSampler(plan.sampler).expectedRows(sampling, tokens);
  const double read = plan.paired ? rows : rows + rows * (1 - rows / all);
  return {tokens, static_cast<std::int64_t>(std::llround(read))};
}

double GroupPlanner::flops(std::int64_t example) const {
  return text(tokens(example)).flops;
}

double GroupPlanner::flops(const CaptureGroup& group) const {
  double sum = 0;
  for (const std::int64_t example : group) sum += flops(example);
  return sum;
}

void GroupPlanner::add(std::int64_t tokens, Sum& sum) const {
  const Text& one = text(tokens);
  sum.tokens += tokens;
  sum.longest = std::max(sum.longest, tokens);
  sum.units += one.unitBytes;
  sum.largestUnit = std::max(sum.largestUnit, one.unitBytes);
  sum.mostRows = std::max(sum.mostRows, one.rows);
}

// Tokens, units that are being filled, the encoded copy of one, the float32 vectors of one layer on their way
// to the sink, and the forward pass.
std::uint64_t GroupPlanner::memory(const Sum& sum) const {
  const double sink = 1.1 * (sum.units + sum.largestUnit + 2 * sum.mostRows * m_rowBytes);
  const std::uint64_t own = m_tokenBytes + static_cast<std::uint64_t>(sink);
  const ModelSpec& spec = m_setup.model->spec;
  // On a GPU the forward pass counts the card's memory itself; here is the copy of a state.
  if (m_setup.onGpu()) return own + groupStateBytes(spec, sum.tokens, sum.longest, m_setup.device);
  return own +
         forwardPeakBytes(spec, sum.tokens, sum.longest, m_setup.lastLayer, m_setup.device, m_setup.forward);
}

std::uint64_t GroupPlanner::memory(const CaptureGroup& group) const {
  Sum sum;
  for (const std::int64_t example : group) add(tokens(example), sum);
  return memory(sum);
}

std::uint64_t GroupPlanner::memoryOfText(std::int64_t tokens) const {
  Sum sum;
  add(tokens, sum);
  return memory(sum);
}

std::uint64_t GroupPlanner::stateBytes(const CaptureGroup& group) const {
  Sum sum;
  for (const std::int64_t example : group) add(tokens(example), sum);
  const double taken = 4 * sum.mostRows * m_rowBytes;  // queries and keys of a layer, at both points
  return groupStateBytes(m_setup.model->spec, sum.tokens, sum.longest, m_setup.device) +
         static_cast<std::uint64_t>(taken);
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
    if (sum.tokens >= enoughTokens) break;
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
  for (const UnitFacts& facts : setup.facts)
    bytes += expectedUnitBytes(setup.plan, setup.layout, tokensOf(setup, facts.example));
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
