#pragma once
// Query bins (method.md, Query bins). Edges and representative positions are exact fractions, so that every
// comparison with a limit is done in integers.
#include <cstdint>
#include <span>
#include <vector>

#include "core/analysis/head_rows.h"
#include "core/analysis/settings.h"

namespace plastiscope {

// A position in tokens as numerator / denominator, denominator > 0.
struct Rational {
  std::int64_t numerator = 0, denominator = 1;
  double value() const { return static_cast<double>(numerator) / static_cast<double>(denominator); }
  // Sign of this - (p / q) for q > 0: -1, 0, 1.
  int compare(std::int64_t p, std::int64_t q = 1) const;
};

struct BinGrid {
  std::int64_t window = 0;          // L
  std::int64_t denominator = 1;     // edge b lies at edges[b] / denominator tokens
  std::vector<std::int64_t> edges;  // [bins + 1], ascending

  std::int64_t bins() const { return std::ssize(edges) - 1; }
  // Bin of a position; InputError if it is outside [0, window).
  std::int64_t binOf(std::int64_t position) const;
  double start(std::int64_t bin) const;
  double end(std::int64_t bin) const;
  Rational midpoint(std::int64_t bin) const;
  // The first integer position at or after the bin's start; keys before it precede the bin.
  std::int64_t firstPosition(std::int64_t bin) const;
};

// max(16, floor(N / 50 + 0.5)), N = queryRows / heads: mean number of query rows per captured head.
std::int64_t densityBinCount(std::int64_t queryRows, std::int64_t heads);

// `densityBins`: used only by bins = density.
BinGrid makeBinGrid(const AnalysisSettings& settings, const CaptureFrame& frame, std::int64_t densityBins);

// The buckets of the capture, independent of the query bins.
BinGrid captureBuckets(const CaptureFrame& frame);

// Query rows sorted by bin.
class BinnedQueries {
 public:
  // `times`: multiplicity of each row; empty: once.
  BinnedQueries(const VectorRows& query, const BinGrid& grid, std::span<const std::int32_t> times = {});
  std::int64_t bins() const { return std::ssize(m_start) - 1; }
  // In stored order.
  std::span<const std::int64_t> rowsOf(std::int64_t bin) const;
  std::span<const std::int64_t> allRows() const { return m_row; }

 private:
  std::vector<std::int64_t> m_start;  // [bins + 1]
  std::vector<std::int64_t> m_row;    // [query rows, repeats included]
};

// rows[which], [which, columns]
Matrix gatheredRows(const Matrix& rows, std::span<const std::int64_t> which);

// +1 or -1 per coordinate: the sign of the mean over the capture's buckets of their mean keys; +1 for 0.
// `times`: multiplicity of each key; empty: once.
Vector legacySigns(const VectorRows& keys, const BinGrid& captureBuckets,
                   std::span<const std::int32_t> times = {});

// Multiplies every row by the signs.
VectorRows withSigns(const VectorRows& rows, const Vector& signs);

}  // namespace plastiscope
