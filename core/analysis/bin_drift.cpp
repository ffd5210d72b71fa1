#include "core/analysis/bin_drift.h"

namespace plastiscope {

// method.md 4.5, variance = global: coordinates 2..d have no slope, so the intercept is their mean; the
// residual variance has the divisor of sigma_pos^2 (own definition).
BinDrifts::BinDrifts(const QueryContent& content, const QueryModel& model, const DriftRule& rule)
    : m_content(content), m_model(model), m_rule(rule) {
  if (!rule.global) return;
  m_mean = content.mean;
  m_variance = content.powers.sums.row(0).transpose() / (content.powers.rows - 2);
}

void BinDrifts::freezeOver(const std::vector<bool>& valid) {
  Vector mean = Vector::Zero(m_content.mean.size()), variance = mean;
  double total = 0;
  for (std::size_t b = 0; b < valid.size(); ++b) {
    if (!valid[b]) continue;
    const BinContent& bin = m_content.bins[b];
    const auto n = static_cast<double>(bin.rows);
    mean += n * bin.mean;
    variance += n * bin.variance;
    total += n;
  }
  if (total == 0) return;
  m_mean = mean / total;
  m_variance = variance / total;
}

BinDrift BinDrifts::of(std::int64_t bin, const ExactPosition& tau) const {
  const double still = m_rule.fromStart ? 0 : m_model.meanT;
  const double position = m_rule.change == DriftChange::NoPosition ? still : tau.value();
  const double onDrift = m_model.alphaPosition + m_model.betaPosition * position;
  if (m_mean.size() > 0) return {onDrift, m_mean, m_variance};
  const BinContent& own = m_content.bins[static_cast<std::size_t>(bin)];
  return {onDrift, own.mean, own.variance};
}

}  // namespace plastiscope
