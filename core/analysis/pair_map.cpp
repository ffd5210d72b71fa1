#include "core/analysis/pair_map.h"

#include <algorithm>
#include <cmath>

namespace plastiscope {

namespace {

constexpr std::int64_t kMaxDenseCells = 1 << 20;

// Exact floor(value / divisor) for value >= 0 by the divisor's reciprocal and a correction, without a
// division.
std::int64_t floorDivide(std::int64_t value, std::int64_t divisor, double inverse) {
  auto quotient = static_cast<std::int64_t>(static_cast<double>(value) * inverse);
  const std::int64_t rest = value - quotient * divisor;
  if (rest < 0) return quotient - 1;
  return rest >= divisor ? quotient + 1 : quotient;
}

}  // namespace

void PairMap::Sum::add(std::int64_t count, double value) {
  pairs += count;
  const double total = sum + value;
  carried += std::abs(sum) >= std::abs(value) ? (sum - total) + value : (value - total) + sum;
  sum = total;
}

PairMap::PairMap(std::int64_t window, std::int64_t cell) : m_cellsOfPairs(cell), m_side(window / cell + 1) {
  m_dense = m_side <= 1 << 15 && m_side * m_side <= kMaxDenseCells;
  if (m_dense) m_grid.resize(static_cast<std::size_t>(m_side * m_side));
}

void MapGrid::startBin(const Rational& tau) {
  m_tauNumerator = 2 * tau.numerator;
  m_scale = tau.denominator;
  m_inverseRow = 1 / static_cast<double>(2 * m_scale * m_cell);
}

std::pair<std::int64_t, std::int64_t> MapGrid::cellOf(std::int64_t first, std::int64_t second) const {
  // y / cell = (2 tau - (t_i + t_j)) / (2 cell)
  const std::int64_t doubled = m_tauNumerator - m_scale * (first + second);
  return {floorDivide(second - first, m_cell, m_inverseCell),
          floorDivide(doubled, 2 * m_scale * m_cell, m_inverseRow)};
}

void PairMap::startBin(const Rational& tau) {
  flush();
  m_cellsOfPairs.startBin(tau);
}

PairMap::Sum& PairMap::at(std::int64_t index) {
  return m_dense ? m_grid[static_cast<std::size_t>(index)] : m_sparse[index];
}

void PairMap::flush() {
  if (m_openPairs > 0) at(m_openIndex).add(m_openPairs, m_openSum);
  m_openPairs = 0;
  m_openSum = 0;
}

void PairMap::add(std::int64_t first, std::int64_t second, double pp) {
  const auto [column, row] = m_cellsOfPairs.cellOf(first, second);
  const std::int64_t index = column * m_side + row;
  if (index != m_openIndex) {
    flush();
    m_openIndex = index;
  }
  ++m_openPairs;
  m_openSum += pp;
}

std::vector<MapCellSum> PairMap::cells() {
  flush();
  std::vector<MapCellSum> cells;
  const auto append = [&](std::int64_t index, const Sum& sum) {
    if (sum.pairs > 0) cells.push_back({index / m_side, index % m_side, sum.pairs, sum.sum + sum.carried});
  };
  for (std::size_t i = 0; i < m_grid.size(); ++i) append(static_cast<std::int64_t>(i), m_grid[i]);
  for (const auto& [index, sum] : m_sparse) append(index, sum);
  std::sort(cells.begin(), cells.end(), [](const MapCellSum& a, const MapCellSum& b) {
    return a.distanceCell != b.distanceCell ? a.distanceCell < b.distanceCell
                                            : a.midpointCell < b.midpointCell;
  });
  return cells;
}

}  // namespace plastiscope
