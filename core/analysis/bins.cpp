#include "core/analysis/bins.h"

#include <algorithm>

#include "core/base/error.h"

namespace plastiscope {

namespace {

BinGrid equalBins(std::int64_t window, std::int64_t count) {
  BinGrid grid{window, count, {}};
  for (std::int64_t b = 0; b <= count; ++b) grid.edges.push_back(b * window);
  return grid;
}

// [b B, min((b + 1) B, L))
BinGrid bucketBins(std::int64_t window, std::int64_t bucketSize) {
  BinGrid grid{window, 1, {}};
  for (std::int64_t start = 0; start < window; start += bucketSize) grid.edges.push_back(start);
  grid.edges.push_back(window);
  return grid;
}

// [2^b - 1, min(2^(b+1) - 1, L)) for b from ceil(log2(B)), the first from 0.
BinGrid logBucketBins(std::int64_t window, std::int64_t bucketSize) {
  std::int64_t power = 1;
  while (power < bucketSize) power *= 2;
  BinGrid grid{window, 1, {0}};
  for (std::int64_t edge = 2 * power - 1; edge < window; edge = 2 * edge + 1) grid.edges.push_back(edge);
  grid.edges.push_back(window);
  return grid;
}

}  // namespace

int ExactPosition::compare(std::int64_t p, std::int64_t q) const {
  // Numbers here stay below 2^31 tokens * 2e5 bins * 10, far from overflow.
  const std::int64_t left = numerator * q, right = p * denominator;
  return left < right ? -1 : left > right ? 1 : 0;
}

std::int64_t BinGrid::binOf(std::int64_t position) const {
  if (position < 0 || position >= window) {
    throw InputError("a row at position " + std::to_string(position) +
                     ": expected positions from 0 below the window of " + std::to_string(window) + " tokens");
  }
  const std::int64_t scaled = position * denominator;
  return std::upper_bound(edges.begin(), edges.end(), scaled) - edges.begin() - 1;
}

double BinGrid::start(std::int64_t bin) const {
  return ExactPosition{edges[static_cast<std::size_t>(bin)], denominator}.value();
}

double BinGrid::end(std::int64_t bin) const {
  return start(bin + 1);
}

ExactPosition BinGrid::midpoint(std::int64_t bin) const {
  const auto b = static_cast<std::size_t>(bin);
  return {edges[b] + edges[b + 1], 2 * denominator};
}

std::int64_t BinGrid::firstPosition(std::int64_t bin) const {
  return (edges[static_cast<std::size_t>(bin)] + denominator - 1) / denominator;
}

std::int64_t densityBinCount(std::int64_t queryRows, std::int64_t heads) {
  if (heads <= 0) return 16;
  return std::max<std::int64_t>(16, (2 * queryRows + 50 * heads) / (100 * heads));
}

BinGrid makeBinGrid(const AnalysisSettings& settings, const CaptureFrame& frame, std::int64_t densityBins) {
  if (const auto count = binCountOf(settings)) return equalBins(frame.window, *count);
  if (settings.bins == "density") return equalBins(frame.window, densityBins);
  return captureBuckets(frame);
}

BinGrid captureBuckets(const CaptureFrame& frame) {
  return frame.logBuckets ? logBucketBins(frame.window, frame.bucketSize)
                          : bucketBins(frame.window, frame.bucketSize);
}

}  // namespace plastiscope
