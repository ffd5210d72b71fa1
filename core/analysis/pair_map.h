#pragma once
// Computes the plasticity map of a head: PP by distance between the keys and distance from the query to their
// midpoint (method.md, Plasticity map). Cells are determined in integers.
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/analysis/bins.h"

namespace plastiscope {

struct MapCellSum {
  std::int64_t distanceCell = 0, midpointCell = 0;
  std::int64_t pairs = 0;
  double sum = 0;  // of PP
};

// Determines the cell of a pair in integers.
class MapGrid {
 public:
  // `cell`: size of a cell in tokens.
  explicit MapGrid(std::int64_t cell) : m_cell(cell), m_inverseCell(1 / static_cast<double>(cell)) {}
  // Sets the query position of the following pairs.
  void startBin(const Rational& tau);
  // (distance cell, midpoint cell) of keys at positions `first` <= `second`, both before tau.
  std::pair<std::int64_t, std::int64_t> cellOf(std::int64_t first, std::int64_t second) const;

 private:
  std::int64_t m_cell;                           // tokens
  std::int64_t m_tauNumerator = 0, m_scale = 1;  // 2 tau = m_tauNumerator / m_scale
  double m_inverseCell, m_inverseRow = 0;
};

class PairMap {
 public:
  // `window` and `cell` in tokens.
  PairMap(std::int64_t window, std::int64_t cell);
  // Sets the query position of the following pairs.
  void startBin(const Rational& tau);
  // Adds a kept pair of keys at positions `first` < `second`, both before tau.
  void add(std::int64_t first, std::int64_t second, double pp);
  // Non-empty cells, ascending by distance cell, then midpoint cell.
  std::vector<MapCellSum> cells();

 private:
  // Sum with compensated rounding error (Neumaier's variant of Kahan's sum).
  struct Sum {
    std::int64_t pairs = 0;
    double sum = 0, carried = 0;
    void add(std::int64_t count, double value);
  };
  Sum& at(std::int64_t index);
  void flush();

  MapGrid m_cellsOfPairs;
  std::int64_t m_side;  // cells per side
  bool m_dense;
  std::vector<Sum> m_grid;
  std::unordered_map<std::int64_t, Sum> m_sparse;
  std::int64_t m_openIndex = -1, m_openPairs = 0;  // current run of pairs in one cell
  double m_openSum = 0;
};

}  // namespace plastiscope
