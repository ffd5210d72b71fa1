#pragma once
// The queries of a head bin by bin, and their drift as the thesis variance sees it (method.md 4.2, 4.3, 7.1).
#include <cstdint>
#include <span>
#include <vector>

#include "core/analysis/bins.h"
#include "core/analysis/pair_models.h"
#include "core/analysis/query_model.h"

namespace plastiscope {

// Query rows gathered by bin.
class BinnedQueries {
 public:
  // `times`: how often each row stands in its bin; empty: once.
  BinnedQueries(const KindRows& query, const BinGrid& grid, std::span<const std::int32_t> times = {});
  // In the order in which they are stored.
  std::span<const std::int64_t> rowsOf(std::int64_t bin) const;
  std::span<const std::int64_t> allRows() const { return m_row; }

 private:
  std::vector<std::int64_t> m_start;  // [bins + 1]
  std::vector<std::int64_t> m_row;    // [query rows, repeats included]
};

// rows[which], [which, columns]
Matrix gatheredRows(const Matrix& rows, std::span<const std::int64_t> which);

// What is changed about the queries before pairs are valued (method.md 7.1); thesis variance only.
enum class DriftChange { None, NoPosition, ContentFrozen };

// How bins get their drift.
struct DriftRule {
  DriftChange change = DriftChange::None;
  bool fromStart = false;  // NoPosition holds queries at position 0 instead of their mean position
  bool global = false;     // one mean and one residual variance per coordinate for all bins

  DriftRule(const AnalysisSettings& settings, DriftChange what)
      : change(what), fromStart(settings.anchor == "start"), global(settings.variance == "global") {}
};

// A bin as far as its drift needs it.
struct DriftBin {
  ExactPosition tau;
  bool valid = false;
};

// One entry a bin; empty vectors for bins that are not valid.
std::vector<BinDrift> binDrifts(const KindRows& query, const QueryModel& model, const BinnedQueries& binned,
                                const std::vector<DriftBin>& bins, const DriftRule& rule);

}  // namespace plastiscope
