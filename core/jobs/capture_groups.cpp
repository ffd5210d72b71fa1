#include "core/jobs/capture_groups.h"

#include <algorithm>
#include <numeric>

#include "core/base/memory.h"
#include "core/capture/position_sampler.h"

namespace plastiscope {

namespace {

constexpr std::int64_t kGroupTokens = 8192, kGroupTokensOnGpu = 65536;

std::int64_t tokensOf(const CaptureSetup& setup, std::int64_t example) {
  return static_cast<std::int64_t>(setup.examples[static_cast<std::size_t>(example)].tokens.size());
}

// Units that are being filled, the encoded copy of one, and the float32 vectors of one layer on their way to
// the sink.
std::uint64_t sinkBytes(const CaptureSetup& setup, const std::vector<std::int64_t>& lengths) {
  const SamplerSettings sampling{setup.plan.window, setup.plan.bucketSize, setup.plan.rate};
  double units = 0, largestUnit = 0, largestBlock = 0;
  for (const std::int64_t tokens : lengths) {
    const double unit = expectedUnitBytes(setup.plan, setup.layout, tokens);
    const double rows = positionSampler(setup.plan.sampler).expectedRows(sampling, tokens);
    units += unit;
    largestUnit = std::max(largestUnit, unit);
    for (const UnitBlock& block : setup.layout.blocks) {
      largestBlock = std::max(largestBlock, rows * 4 * static_cast<double>(setup.layout.headDim) *
                                                static_cast<double>(block.heads.size()));
    }
  }
  return static_cast<std::uint64_t>(1.1 * (units + largestUnit + 2 * largestBlock));
}

std::uint64_t tokenBytes(const CaptureSetup& setup) {
  std::uint64_t bytes = 0;
  for (const CaptureExample& example : setup.examples) bytes += 4 * example.tokens.size();
  return bytes;
}

// What a file holds beside its vectors: groups and attributes, a header for each head, tokens with their
// words.
double structureBytes(const CaptureSetup& setup) {
  constexpr double kFile = 60e3, kHead = 700, kToken = 8;
  double heads = 0;
  for (const UnitBlock& block : setup.layout.blocks) heads += static_cast<double>(block.heads.size());
  return kFile + kHead * heads + kToken * static_cast<double>(tokenBytes(setup)) / 4;
}

std::uint64_t memoryOf(const CaptureSetup& setup, const std::vector<std::int64_t>& lengths) {
  const std::uint64_t own = tokenBytes(setup) + sinkBytes(setup, lengths);
  if (setup.onGpu()) return own;  // the forward pass counts the card's memory itself
  return own +
         forwardCost(setup.model->spec, lengths, setup.lastLayer, setup.device, setup.forward).peakBytes;
}

std::vector<std::int64_t> lengthsOf(const CaptureSetup& setup, const std::vector<std::int64_t>& group) {
  std::vector<std::int64_t> lengths;
  for (const std::int64_t example : group) lengths.push_back(tokensOf(setup, example));
  return lengths;
}

}  // namespace

std::uint64_t groupMemory(const CaptureSetup& setup, const std::vector<std::int64_t>& group) {
  return memoryOf(setup, lengthsOf(setup, group));
}

double groupFlops(const CaptureSetup& setup, const std::vector<std::int64_t>& group) {
  return forwardCost(setup.model->spec, lengthsOf(setup, group), setup.lastLayer, setup.device, setup.forward)
      .flops;
}

std::vector<std::vector<std::int64_t>> packGroups(const CaptureSetup& setup,
                                                  const std::vector<std::int64_t>& remaining,
                                                  std::uint64_t memoryLimit) {
  const std::int64_t enough = setup.onGpu() ? kGroupTokensOnGpu : kGroupTokens;
  std::vector<std::vector<std::int64_t>> groups;
  std::int64_t tokens = enough;  // of the last group
  for (const std::int64_t example : remaining) {
    if (tokens < enough) {
      groups.back().push_back(example);
      tokens += tokensOf(setup, example);
      if (groupMemory(setup, groups.back()) <= memoryLimit) continue;
      groups.back().pop_back();
    }
    groups.push_back({example});
    tokens = tokensOf(setup, example);
  }
  return groups;
}

std::uint64_t memoryLimitOf(const CaptureRequest& request) {
  return request.memoryLimit > 0 ? request.memoryLimit : availableMemoryBytes() / 5 * 4;
}

std::int64_t fittingWindow(const CaptureSetup& setup, std::uint64_t memoryLimit) {
  std::int64_t fits = 0, tooLong = setup.plan.window;
  while (tooLong - fits > std::max<std::int64_t>(1, setup.plan.window / 64)) {
    const std::int64_t middle = std::midpoint(fits, tooLong);
    (memoryOf(setup, {middle}) <= memoryLimit ? fits : tooLong) = middle;
  }
  return fits;
}

std::uint64_t sealedBytes(const CaptureSetup& setup) {
  double bytes = structureBytes(setup);
  for (const UnitFacts& facts : setup.facts)
    bytes += expectedUnitBytes(setup.plan, setup.layout, tokensOf(setup, facts.example));
  return static_cast<std::uint64_t>(bytes);
}

std::uint64_t diskNeed(const CaptureSetup& setup, const std::vector<std::int64_t>& remaining) {
  constexpr double kMargin = 1.05, kSpare = 1e6, kUnit = 8e3;
  double bytes = kSpare + 4 * structureBytes(setup) + kUnit * static_cast<double>(remaining.size());
  const auto unitBytes = [&](std::int64_t example) {
    return expectedUnitBytes(setup.plan, setup.layout, tokensOf(setup, example));
  };
  for (const std::int64_t example : remaining) bytes += kMargin * unitBytes(example);
  for (const UnitFacts& facts : setup.facts) bytes += kMargin * unitBytes(facts.example);
  return static_cast<std::uint64_t>(bytes);
}

}  // namespace plastiscope
