#pragma once
// Computes the attention plasticity of one head: profile and map (method.md, Pair plasticity and Plasticity
// map).
#include <cstdint>
#include <functional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/analysis/bins.h"
#include "core/analysis/head_rows.h"
#include "core/analysis/householder_head.h"
#include "core/analysis/pair_enumeration.h"
#include "core/analysis/pair_selection.h"
#include "core/analysis/query_model.h"
#include "core/analysis/settings.h"
#include "core/base/progress.h"

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

struct BinResult {
  double start = 0, end = 0;           // tokens
  Rational tau;                        // by the settings; the midpoint if a mean is requested without queries
  double tauMean = kMissing;           // mean position of the queries
  std::int64_t queries = 0, keys = 0;  // rows in the bin; eligible keys
  std::int64_t pairs = 0;              // eligible pairs
  std::int64_t pairsUsed = 0;          // kept; below a threshold: number that would be selected
  std::int64_t pairsDropped = 0;       // degenerate
  bool valid = false;                  // enough queries and pairs
  double ap = kMissing;
  std::int64_t texts = 0;    // texts of the queries
  bool textsDiffer = false;  // some texts end before the bin
  std::int64_t cells = 0;    // key buckets with a value (pair_scope same_bucket); else 1
  double reach = 1;          // mean share of the tokens before its positions that the layer sees
};

struct Plasticity {
  std::vector<BinResult> bins;  // all bins of the grid, including those without values
  std::vector<MapCellSum> cells;
};

// Receives the pairs that a bin evaluates, in chunks, as indices of the key order.
using PairWatcher =
    std::function<void(std::int64_t bin, std::span<const KeyPair> pairs, const PairValues& values)>;

// All rows of a head with earlier results. Copies nothing; everything must outlive the call.
struct PlasticityInput {
  const HeadId& place;
  const CaptureFrame& frame;
  const VectorRows& query;
  const VectorRows& key;
  const KeyOrder& keyOrder;
  const QueryModel& model;
  const BinGrid& grid;
  PairWatcher onPairs = {};
};

// A bin with these query rows (repeats count) before its pairs are known: edges, queries, tau by the
// settings.
BinResult binFrame(const PlasticityInput& input, std::span<const std::int64_t> rows, std::int64_t bin,
                   const AnalysisSettings& settings);
// Only its tau; the midpoint if a mean is requested without queries.
Rational binPosition(const PlasticityInput& input, std::span<const std::int64_t> rows, std::int64_t bin,
                     const AnalysisSettings& settings);

struct ValuationOptions {
  PairMap* map = nullptr;                                   // receives every kept pair
  std::function<std::int64_t(const KeyPair&)> weight = {};  // multiplicity of a pair; empty: 1
};

// Computes AP of bins from their chosen pairs: for a head as captured and for every resample of its examples.
// The arguments must outlive it.
class BinValuation {
 public:
  BinValuation(const PlasticityInput& input, const HouseholderHead& reflected,
               const AnalysisSettings& settings, const Progress& progress, ValuationOptions options = {});
  // Sets ap, cells, pairsUsed and pairsDropped: the mean over the pairs of each part, then over the parts.
  void value(std::int64_t bin, const ChosenPairs& chosen, BinDrift drift, BinResult& result);

 private:
  // Sums over the kept pairs of a chunk.
  struct Sum {
    double pp = 0, weight = 0;
  };
  BinQueries queriesOf(std::int64_t bin, BinDrift drift) const;
  double valuePart(std::int64_t bin, PairModel& model, const ChosenPart& part, BinResult& result);
  Sum valueChunk(std::int64_t bin, PairModel& model, std::span<const KeyPair> pairs, BinResult& result);
  // Pairs with positive weight; sets m_weight.
  std::span<const KeyPair> weighed(std::span<const KeyPair> pairs);

  const PlasticityInput& m_input;
  const HouseholderHead& m_reflected;
  const AnalysisSettings& m_settings;
  const Progress& m_progress;
  ValuationOptions m_options;
  bool m_readsRows;
  std::vector<KeyPair> m_chunk, m_weighed;
  std::vector<double> m_weight, m_pp;
};

// Size of a map cell in tokens by the settings.
std::int64_t mapCellOf(const CaptureFrame& frame, const AnalysisSettings& settings);

// Without a query model the bins have counts but no values. `reflected`: from the input's rows, order, model
// and grid. Stopped.
Plasticity plasticityOf(const PlasticityInput& input, const HouseholderHead& reflected,
                        const AnalysisSettings& settings, const Progress& progress,
                        DriftChange change = DriftChange::None);

}  // namespace plastiscope
