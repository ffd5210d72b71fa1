#pragma once
// A head in the Householder basis of its query model, computed once for plasticity in every mode and for the
// diagnostics: queries by bin, their drift under variance = thesis, and the keys (method.md, Query model and
// Pair plasticity).
#include <vector>

#include "core/analysis/bins.h"
#include "core/analysis/moments.h"
#include "core/analysis/pair_enumeration.h"
#include "core/analysis/pair_models.h"
#include "core/analysis/query_model.h"
#include "core/analysis/settings.h"

namespace plastiscope {

// Statistics of the queries of one bin; all zero without queries.
struct BinContent {
  std::int64_t rows = 0;
  Vector mean;            // [head_dim], mu_b
  Vector variance;        // [head_dim], s_b^2 (ddof 1); zero for a single row
  double meanSquare = 0;  // mean of |q_n|^2
};

struct QueryContent {
  std::vector<BinContent> bins;
  Vector mean;          // [head_dim] over all queries
  Vector drift;         // [queries] coordinate 1, in the order of BinnedQueries::allRows()
  ColumnPowers powers;  // of all queries around their mean
};

// Repeated rows count as often as they occur in `binned`.
QueryContent queryContentOf(const VectorRows& query, const QueryModel& model, const BinnedQueries& binned);

// Change of the queries before pairs are evaluated (method.md, Decomposition and what-if); only with variance
// = thesis.
enum class DriftChange { None, NoPosition, ContentFrozen };

// Rule for the drift of bins.
struct DriftRule {
  DriftChange change = DriftChange::None;
  bool fromStart = false;  // NoPosition holds queries at position 0 instead of their mean position
  bool global = false;     // one mean and one residual variance per coordinate for all bins

  DriftRule(const AnalysisSettings& settings, DriftChange what)
      : change(what), fromStart(settings.anchor == "start"), global(settings.variance == "global") {}
};

// Both must outlive it.
class BinDrifts {
 public:
  BinDrifts(const QueryContent& content, const QueryModel& model, const DriftRule& rule);
  // ContentFrozen: gives every bin the query-count weighted means of the valid bins.
  void freezeOver(const std::vector<bool>& valid);
  BinDrift of(std::int64_t bin, const Rational& tau) const;

 private:
  const QueryContent& m_content;
  const QueryModel& m_model;
  DriftRule m_rule;
  Vector m_mean, m_variance;  // common to all bins; size 0: each bin has its own
};

struct HouseholderHead {
  BinnedQueries queries;
  QueryContent content;  // empty without a query model, like the keys
  HouseholderKeys keys;

  // `key` must outlive it. `times`: multiplicity of each query; empty: once.
  HouseholderHead(const VectorRows& query, const OrderedKeys& key, const QueryModel& model,
                  const BinGrid& grid, std::span<const std::int32_t> times = {})
      : queries(query, grid, times) {
    if (!model.present) return;
    content = queryContentOf(query, model, queries);
    keys = householderKeys(key.rows.vectors, key.order.row, model);
  }
};

}  // namespace plastiscope
