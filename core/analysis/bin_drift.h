#pragma once
// The drift of a head's queries bin by bin, as the thesis variance sees it (method.md 4.2, 4.3, 7.1).
#include <vector>

#include "core/analysis/bins.h"
#include "core/analysis/pair_models.h"
#include "core/analysis/query_content.h"
#include "core/analysis/query_model.h"
#include "core/analysis/settings.h"

namespace plastiscope {

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

// Both must outlive it.
class BinDrifts {
 public:
  BinDrifts(const QueryContent& content, const QueryModel& model, const DriftRule& rule);
  // ContentFrozen: every bin gets the query-count weighted means of the bins that are valid.
  void freezeOver(const std::vector<bool>& valid);
  BinDrift of(std::int64_t bin, const ExactPosition& tau) const;

 private:
  const QueryContent& m_content;
  const QueryModel& m_model;
  DriftRule m_rule;
  Vector m_mean, m_variance;  // of all bins alike; size 0: every bin has its own
};

}  // namespace plastiscope
