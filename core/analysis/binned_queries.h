#pragma once
// The queries of a head bin by bin.
#include <cstdint>
#include <span>
#include <vector>

#include "core/analysis/bins.h"
#include "core/analysis/head_rows.h"

namespace plastiscope {

// Query rows gathered by bin.
class BinnedQueries {
 public:
  // `times`: how often each row stands in its bin; empty: once.
  BinnedQueries(const KindRows& query, const BinGrid& grid, std::span<const std::int32_t> times = {});
  std::int64_t bins() const { return static_cast<std::int64_t>(m_start.size()) - 1; }
  // In the order in which they are stored.
  std::span<const std::int64_t> rowsOf(std::int64_t bin) const;
  std::span<const std::int64_t> allRows() const { return m_row; }

 private:
  std::vector<std::int64_t> m_start;  // [bins + 1]
  std::vector<std::int64_t> m_row;    // [query rows, repeats included]
};

// rows[which], [which, columns]
Matrix gatheredRows(const Matrix& rows, std::span<const std::int64_t> which);

}  // namespace plastiscope
