#include "core/analysis/what_if.h"

#include <cmath>

#include "core/analysis/matrix.h"
#include "core/base/error.h"

namespace plastiscope {

namespace {

constexpr std::size_t kPartialSumPairs = 2048;  // pairs per partial sum, as in the analysis

void requireDriftLine(const AnalysisSettings& settings) {
  const auto require = [](bool holds, const char* setting, const std::string& expected,
                          const std::string& found) {
    if (!holds)
      throw UsageError(std::string("what-if: expected ") + setting + " " + expected + ", found " + found);
  };
  require(settings.variance == "thesis", "variance", "thesis", settings.variance);
  require(settings.pairScope != "same_bucket", "pair_scope", "same_example or cross_example",
          settings.pairScope);
  require(settings.orientation == "off", "orientation", "off", settings.orientation);
}

double meanOfKept(const std::vector<double>& values) {
  std::vector<double> sums;
  for (std::size_t next = 0; next < values.size(); next += kPartialSumPairs) {
    double sum = 0;
    for (std::size_t i = next; i < std::min(values.size(), next + kPartialSumPairs); ++i) sum += values[i];
    sums.push_back(sum);
  }
  return values.empty() ? kMissing : sumOf(sums) / static_cast<double>(values.size());
}

}  // namespace

WhatIfHead::WhatIfHead(const HeadInput& input) : m_window(input.frame.window), m_settings(input.settings) {
  const auto& [place, frame, query, key, grid, settings, progress, texts] = input;
  requireDriftLine(settings);
  const Moments moments = momentsOf(query);
  m_model = queryModelOf(query, moments);
  m_bins.resize(grid.bins());
  const auto watch = [this](std::int64_t bin, std::span<const KeyPair> pairs, const PairValues& values) {
    std::vector<KeyPair>& kept = m_bins[bin].pairs;
    for (std::size_t p = 0; p < pairs.size(); ++p) {
      if (!std::isnan(values.pp[p])) kept.push_back(pairs[p]);
    }
  };
  const HouseholderHead reflected(query, {key.rows, key.order}, m_model, grid);
  const Plasticity plasticity = plasticityOf({place, frame, query, key.rows, key.order, m_model, grid, watch},
                                             reflected, settings, progress);
  for (std::size_t b = 0; b < m_bins.size(); ++b) {
    m_bins[b].result = plasticity.bins[b];
    m_bins[b].result.ap = kMissing;
  }
  if (!m_model.present) return;
  const BinDrifts drifts(reflected.content, m_model, DriftRule(settings, DriftChange::None));
  for (std::size_t b = 0; b < m_bins.size(); ++b)
    m_bins[b].drift = drifts.of(static_cast<std::int64_t>(b), m_bins[b].result.tau);
  m_keys = reflected.keys.reflected;
  const RotationResult rotation = rotationOf({query, moments}, {key.rows, key.moments}, frame, settings);
  if (rotation.a.size() == 0 || std::isnan(rotation.alphaKey)) return;
  m_direction = padded(m_model.reflected(rotation.a));
  m_keyDrift.resize(m_keys.rows());
  for (Eigen::Index i = 0; i < m_keys.rows(); ++i) {
    const auto t = static_cast<double>(key.order.position[i]);
    m_keyDrift[i] = rotation.alphaKey * (t - key.moments.meanT);
  }
}

BinDrift WhatIfHead::frozenContent() const {
  BinDrift frozen;
  double total = 0;
  for (const Bin& bin : m_bins) {
    if (!bin.result.valid) continue;
    const auto n = static_cast<double>(bin.result.queries);
    if (total == 0) frozen.mean = frozen.variance = Vector::Zero(bin.drift.mean.size());
    frozen.mean += n * bin.drift.mean;
    frozen.variance += n * bin.drift.variance;
    total += n;
  }
  if (total > 0) {
    frozen.mean /= total;
    frozen.variance /= total;
  }
  return frozen;
}

double WhatIfHead::valueBin(const Bin& bin, const BinDrift& frozen, const WhatIf& change, const Matrix& keys,
                            std::int64_t& dropped) const {
  const double tau = bin.result.tau.value();
  // Exactly tau for scale 1.
  const double position = tau + (change.beta - 1) * (tau - m_model.meanT);
  Vector weight = padded(change.freezeMean ? frozen.mean : bin.drift.mean);
  Vector spread = padded(change.freezeVariance ? frozen.variance : bin.drift.variance);
  spread *= change.contentVariance;
  weight[0] = spread[0] = 0;
  const double onDrift = m_model.alphaPosition + m_model.betaPosition * position;
  std::vector<double> variance(bin.pairs.size()), mean(bin.pairs.size()), pp(bin.pairs.size()), kept;
  weightedDifferences(blockOf(keys), bin.pairs, {spread.data(), weight.data()},
                      {variance.data(), mean.data()});
  for (std::size_t p = 0; p < bin.pairs.size(); ++p) {  // coordinate 1, summed in the order of the analysis
    const double along = keys(bin.pairs[p].first, 0) - keys(bin.pairs[p].second, 0);
    variance[p] += m_model.sigmaPosition2 * along * along;
    mean[p] += onDrift * along;
  }
  plasticityOfPairs(mean.data(), variance.data(), pp.data(), pp.size());
  for (std::size_t p = 0; p < pp.size(); ++p) {
    if (variance[p] > 0 && std::isfinite(variance[p])) kept.push_back(pp[p]);
  }
  dropped = static_cast<std::int64_t>(pp.size() - kept.size());
  return meanOfKept(kept);
}

WhatIfResult WhatIfHead::evaluate(const WhatIf& change) const {
  const BinDrift frozen = frozenContent();
  Matrix keys = m_keys;
  if (m_direction.size() > 0 && change.alphaKey != 1)
    keys += (change.alphaKey - 1) * m_keyDrift * m_direction.transpose();
  WhatIfResult result;
  for (const Bin& bin : m_bins) {
    result.bins.push_back(bin.result);
    if (!bin.result.valid) continue;
    BinResult& open = result.bins.back();
    std::int64_t dropped = 0;
    open.ap = valueBin(bin, frozen, change, keys, dropped);
    open.pairsUsed -= dropped;
    open.pairsDropped += dropped;
  }
  result.summary = summarise(result.bins, m_window, m_settings);
  return result;
}

VectorRows withScaledDrift(VectorRows keys, const Vector& a, double slope, double scale) {
  if (keys.rows() == 0) return keys;
  const std::vector<double> t = asDoubles(keys.position);
  const double mean = sumOf(t) / static_cast<double>(t.size());
  for (Eigen::Index i = 0; i < keys.vectors.rows(); ++i)
    keys.vectors.row(i) += (scale - 1) * slope * (t[i] - mean) * a.transpose();
  return keys;
}

}  // namespace plastiscope
