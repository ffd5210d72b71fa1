#include "core/analysis/content_spread.h"

#include <cmath>

#include "core/analysis/binned_queries.h"
#include "core/analysis/head_analysis.h"

namespace plastiscope {

ContentSpread::ContentSpread(const KeySide& keys, const QueryModel& model, std::int64_t bins)
    : m_keys(model.reflected(gatheredRows(keys.rows.vectors, keys.order.row))),
      m_squares(Matrix::Zero(bins, keys.rows.headDim())) {}

void ContentSpread::add(std::int64_t bin, std::span<const KeyPair> pairs, const double* pp) {
  Eigen::RowVectorXd squares = Eigen::RowVectorXd::Zero(m_keys.cols());
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    if (std::isnan(pp[p])) continue;
    squares += (m_keys.row(pairs[p].first) - m_keys.row(pairs[p].second)).cwiseAbs2();
    ++m_pairs;
  }
  m_squares.row(bin) += squares;
}

double ContentSpread::mean(const Matrix& spread) const {
  if (m_pairs == 0) return kMissing;
  const Eigen::Index content = m_squares.cols() - 1;
  const double sum = m_squares.rightCols(content).cwiseProduct(spread.rightCols(content)).sum();
  return sum / static_cast<double>(m_pairs);
}

}  // namespace plastiscope
