#include "core/analysis/binned_queries.h"

#include <numeric>

namespace plastiscope {

BinnedQueries::BinnedQueries(const KindRows& query, const BinGrid& grid, std::span<const std::int32_t> times)
    : m_start(static_cast<std::size_t>(grid.bins()) + 1, 0) {
  const auto timesOf = [&](std::size_t i) { return times.empty() ? 1 : times[i]; };
  std::vector<std::size_t> bin;
  for (const std::int64_t t : query.position) bin.push_back(static_cast<std::size_t>(grid.binOf(t)));
  for (std::size_t i = 0; i < bin.size(); ++i) m_start[bin[i] + 1] += timesOf(i);
  std::partial_sum(m_start.begin(), m_start.end(), m_start.begin());
  std::vector<std::int64_t> next(m_start.begin(), m_start.end() - 1);
  m_row.resize(static_cast<std::size_t>(m_start.back()));
  for (std::size_t i = 0; i < bin.size(); ++i) {
    for (std::int32_t k = 0; k < timesOf(i); ++k)
      m_row[static_cast<std::size_t>(next[bin[i]]++)] = static_cast<std::int64_t>(i);
  }
}

std::span<const std::int64_t> BinnedQueries::rowsOf(std::int64_t bin) const {
  const auto b = static_cast<std::size_t>(bin);
  return std::span(m_row).subspan(static_cast<std::size_t>(m_start[b]),
                                  static_cast<std::size_t>(m_start[b + 1] - m_start[b]));
}

Matrix gatheredRows(const Matrix& rows, std::span<const std::int64_t> which) {
  Matrix block(static_cast<Eigen::Index>(which.size()), rows.cols());
  for (std::size_t i = 0; i < which.size(); ++i) block.row(static_cast<Eigen::Index>(i)) = rows.row(which[i]);
  return block;
}

}  // namespace plastiscope
