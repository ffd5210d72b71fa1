#include "core/analysis/content_spread.h"

#include <cmath>

namespace plastiscope {

const double* ContentSpread::contentOf(std::int64_t bin, std::span<const KeyPair> pairs) {
  const Matrix& keys = m_head.keys.reflected;
  const Vector& variance = m_head.content.bins[static_cast<std::size_t>(bin)].variance;
  Vector spread = Vector::Zero(keys.cols());
  spread.segment(1, variance.size() - 1) = variance.tail(variance.size() - 1);
  m_content.resize(pairs.size());
  m_ignored.resize(pairs.size());
  weightedDifferences(keys.data(), keys.cols(), pairs, spread.data(), spread.data(), m_content.data(),
                      m_ignored.data());
  return m_content.data();
}

void ContentSpread::add(std::int64_t bin, std::span<const KeyPair> pairs, const PairValues& values) {
  const double* content = values.content != nullptr ? values.content : contentOf(bin, pairs);
  double sum = 0;
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    if (std::isnan(values.pp[p])) continue;
    sum += content[p];
    ++m_pairs;
  }
  m_sums.push_back(sum);
}

double ContentSpread::mean() const {
  return m_pairs == 0 ? kMissing : sumOf(m_sums) / static_cast<double>(m_pairs);
}

}  // namespace plastiscope
