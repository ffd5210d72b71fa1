#pragma once
// Attention plasticity of one head: profile and map (method.md, Pair plasticity and Plasticity map).
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/analysis/bins.h"
#include "core/analysis/head_rows.h"
#include "core/analysis/householder_head.h"
#include "core/analysis/pair_enumeration.h"
#include "core/analysis/pair_map.h"
#include "core/analysis/pair_selection.h"
#include "core/analysis/query_model.h"
#include "core/analysis/settings.h"
#include "core/base/progress.h"

namespace plastiscope {

struct BinResult {
  double start = 0, end = 0;  // tokens
  Rational tau;  // as the settings choose; the midpoint when a mean is wanted and there is no query
  double tauMean = kMissing;           // mean position of the queries
  std::int64_t queries = 0, keys = 0;  // rows in the bin; eligible keys
  std::int64_t pairs = 0;              // eligible pairs
  std::int64_t pairsUsed = 0;          // kept; below a threshold: how many would have been selected
  std::int64_t pairsDropped = 0;       // degenerate
  bool valid = false;                  // enough queries and pairs
  double ap = kMissing;
  std::int64_t texts = 0;    // that the queries come from
  bool textsDiffer = false;  // some texts end before the bin
  std::int64_t cells = 0;  // key buckets with a value (pair_scope same_bucket); else 1 for the bin as a whole
};

struct Plasticity {
  std::vector<BinResult> bins;  // all of the grid, also where nothing was measured
  std::vector<MapCellSum> cells;
};

// Told of the pairs that a bin values, in chunks, as places in the key order.
using PairWatcher =
    std::function<void(std::int64_t bin, std::span<const KeyPair> pairs, const PairValues& values)>;

// All rows of a head with what was worked out before. Nothing is copied; everything must outlive the call.
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

// A bin with these query rows (repeats count) before its pairs are known: edges, queries, tau as the settings
// choose.
BinResult binFrame(const PlasticityInput& input, std::span<const std::int64_t> rows, std::int64_t bin,
                   const AnalysisSettings& settings);
// Its tau alone; the midpoint when a mean is wanted and there is no query.
Rational binPosition(const PlasticityInput& input, std::span<const std::int64_t> rows, std::int64_t bin,
                     const AnalysisSettings& settings);

struct ValuationOptions {
  PairMap* map = nullptr;                                   // told of every kept pair
  std::function<std::int64_t(const KeyPair&)> weight = {};  // how often a pair counts; empty: once
};

// AP of bins from the pairs chosen for them: of a head as it was captured, and of every resample of its
// examples. Everything must outlive it.
class BinValuation {
 public:
  BinValuation(const PlasticityInput& input, const HouseholderHead& reflected,
               const AnalysisSettings& settings, const Progress& progress, ValuationOptions options = {});
  // Fills ap and cells, pairsUsed and pairsDropped: the mean over the pairs of each part, then over the
  // parts.
  void value(std::int64_t bin, const ChosenPairs& chosen, BinDrift drift, BinResult& result);

 private:
  // What the kept pairs of a chunk come to.
  struct Sum {
    double pp = 0, weight = 0;
  };
  BinQueries queriesOf(std::int64_t bin, BinDrift drift) const;
  double valuePart(std::int64_t bin, PairModel& model, const ChosenPart& part, BinResult& result);
  Sum valueChunk(std::int64_t bin, PairModel& model, std::span<const KeyPair> pairs, BinResult& result);
  // Those that count at all; m_weight says how often.
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

// Tokens a cell of the map, as the settings choose.
std::int64_t mapCellOf(const CaptureFrame& frame, const AnalysisSettings& settings);

// Without a query model the bins are counted but hold no values. `reflected` is made of the input's rows,
// order, model and grid. Stopped when progress asks for it.
Plasticity plasticityOf(const PlasticityInput& input, const HouseholderHead& reflected,
                        const AnalysisSettings& settings, const Progress& progress,
                        DriftChange change = DriftChange::None);

}  // namespace plastiscope
