#include "core/analysis/bins.h"

#include <algorithm>
#include <map>
#include <numeric>

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

int Rational::compare(std::int64_t p, std::int64_t q) const {
  // Products stay below 2^31 tokens * 2e5 bins * 10, far from overflow.
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
  return Rational{edges[bin], denominator}.value();
}

double BinGrid::end(std::int64_t bin) const {
  return start(bin + 1);
}

Rational BinGrid::midpoint(std::int64_t bin) const {
  const auto b = static_cast<std::size_t>(bin);
  return {edges[b] + edges[b + 1], 2 * denominator};
}

std::int64_t BinGrid::firstPosition(std::int64_t bin) const {
  return (edges[bin] + denominator - 1) / denominator;
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

BinnedQueries::BinnedQueries(const VectorRows& query, const BinGrid& grid,
                             std::span<const std::int32_t> times)
    : m_start(static_cast<std::size_t>(grid.bins()) + 1, 0) {
  const auto timesOf = [&](std::size_t i) { return times.empty() ? 1 : times[i]; };
  std::vector<std::size_t> bin;
  for (const std::int64_t t : query.position) bin.push_back(static_cast<std::size_t>(grid.binOf(t)));
  for (std::size_t i = 0; i < bin.size(); ++i) m_start[bin[i] + 1] += timesOf(i);
  std::partial_sum(m_start.begin(), m_start.end(), m_start.begin());
  std::vector<std::int64_t> next(m_start.begin(), m_start.end() - 1);
  m_row.resize(m_start.back());
  for (std::size_t i = 0; i < bin.size(); ++i) {
    for (std::int32_t k = 0; k < timesOf(i); ++k) m_row[next[bin[i]]++] = static_cast<std::int64_t>(i);
  }
}

std::span<const std::int64_t> BinnedQueries::rowsOf(std::int64_t bin) const {
  const auto b = static_cast<std::size_t>(bin);
  return std::span(m_row).subspan(m_start[b], static_cast<std::size_t>(m_start[b + 1] - m_start[b]));
}

Matrix gatheredRows(const Matrix& rows, std::span<const std::int64_t> which) {
  Matrix block(static_cast<Eigen::Index>(which.size()), rows.cols());
  for (std::size_t i = 0; i < which.size(); ++i) block.row(i) = rows.row(which[i]);
  return block;
}

Vector legacySigns(const VectorRows& keys, const BinGrid& captureBuckets,
                   std::span<const std::int32_t> times) {
  struct Bucket {
    double rows = 0;
    Eigen::RowVectorXd sum;
  };
  std::map<std::int64_t, Bucket> buckets;
  for (Eigen::Index i = 0; i < keys.rows(); ++i) {
    const auto row = static_cast<std::size_t>(i);
    const double weight = times.empty() ? 1 : times[row];
    if (weight == 0) continue;
    Bucket& bucket = buckets[captureBuckets.binOf(keys.position[row])];
    if (bucket.rows == 0) bucket.sum = Eigen::RowVectorXd::Zero(keys.headDim());
    bucket.rows += weight;
    bucket.sum += weight * keys.vectors.row(i);
  }
  Eigen::RowVectorXd total = Eigen::RowVectorXd::Zero(keys.headDim());
  for (const auto& [number, bucket] : buckets) total += bucket.sum / bucket.rows;
  return total.unaryExpr([](double mean) { return mean < 0 ? -1.0 : 1.0; }).transpose();
}

VectorRows withSigns(const VectorRows& rows, const Vector& signs) {
  return {rows.vectors * signs.asDiagonal(), rows.position, rows.example};
}

}  // namespace plastiscope
