#include "core/analysis/resampled_moments.h"

#include <algorithm>
#include <numeric>

#include "core/analysis/matrix_kernels.h"
#include "core/analysis/statistics.h"

namespace plastiscope {

namespace {

constexpr std::int64_t kMaxSums = 1 << 22;  // doubles of sums per example at a time

// Numbers in triangle row i, and before it.
Eigen::Index widthOf(Eigen::Index i, Eigen::Index dim) {
  return dim + 2 - i;
}
Eigen::Index placeOf(Eigen::Index i, Eigen::Index dim) {
  return i * (dim + 2) - i * (i - 1) / 2;
}

}  // namespace

ResampledMoments::ResampledMoments(const VectorRows& rows, const Resamples& resamples)
    : m_rows(rows), m_resamples(resamples), m_order(rows.position.size()), m_whole(momentsOf(rows)) {
  std::iota(m_order.begin(), m_order.end(), std::size_t{0});
  std::stable_sort(m_order.begin(), m_order.end(),
                   [&](std::size_t a, std::size_t b) { return rows.example[a] < rows.example[b]; });
  const Eigen::Index dim = rows.headDim();
  m_sums = Matrix::Zero(resamples.count(), placeOf(dim, dim));
  Matrix weights = Matrix::Zero(resamples.examples, productRows(resamples.count()));
  for (std::int64_t r = 0; r < resamples.count(); ++r) {
    for (std::int64_t e = 0; e < resamples.examples; ++e)
      weights(e, r) = resamples.times[static_cast<std::size_t>(r)][static_cast<std::size_t>(e)];
  }
  for (Eigen::Index from = 0; from < dim;) {
    Eigen::Index to = from + 1;
    while (to < dim && (placeOf(to + 1, dim) - placeOf(from, dim)) * resamples.examples <= kMaxSums) ++to;
    sumTriangleRows(from, to, weights);
    from = to;
  }
}

void ResampledMoments::sumTriangleRows(Eigen::Index from, Eigen::Index to, const Matrix& weights) {
  const Eigen::Index dim = m_rows.headDim(), begin = placeOf(from, dim), width = placeOf(to, dim) - begin;
  Matrix sums = Matrix::Zero(m_resamples.examples, productColumns(width));
  Eigen::RowVectorXd z(dim + 2);
  for (const std::size_t row : m_order) {
    z.head(dim) = m_rows.vectors.row(static_cast<Eigen::Index>(row)) - m_whole.mean.transpose();
    z[dim] = static_cast<double>(m_rows.position[row]) - m_whole.meanT;
    z[dim + 1] = 1;
    auto target = sums.row(m_rows.example[row]);
    for (Eigen::Index i = from; i < to; ++i)
      target.segment(placeOf(i, dim) - begin, widthOf(i, dim)) += z[i] * z.tail(widthOf(i, dim));
  }
  Matrix totals = Matrix::Zero(weights.cols(), sums.cols());
  addProducts(blockOf(weights), blockOf(sums), totals.data());
  m_sums.middleCols(begin, width) = totals.topLeftCorner(m_sums.rows(), width);
}

Moments ResampledMoments::of(std::int64_t resample) const {
  const auto& times = m_resamples.times[static_cast<std::size_t>(resample)];
  const Eigen::Index dim = m_rows.headDim();
  Moments moments;
  std::int64_t sumT = 0;
  for (const std::size_t row : m_order) {
    const std::int64_t weight = times[static_cast<std::size_t>(m_rows.example[row])];
    moments.n += weight;
    sumT += weight * m_rows.position[row];
  }
  if (moments.n == 0) return twoPass(times);
  const auto n = static_cast<double>(moments.n);
  moments.meanT = static_cast<double>(sumT) / n;
  for (const std::size_t row : m_order) {
    const double t = static_cast<double>(m_rows.position[row]) - moments.meanT;
    moments.varianceT += times[static_cast<std::size_t>(m_rows.example[row])] * t * t;
  }
  moments.varianceT /= n;
  Matrix second(dim, dim);
  Vector shift(dim), withT(dim);
  for (Eigen::Index i = 0; i < dim; ++i) {
    const auto sums = m_sums.row(resample).segment(placeOf(i, dim), widthOf(i, dim)) / n;
    second.row(i).tail(dim - i) = sums.head(dim - i);
    withT[i] = sums[dim - i];
    shift[i] = sums[dim - i + 1];
  }
  moments.mean = m_whole.mean + shift;
  moments.covariance = Matrix(second.selfadjointView<Eigen::Upper>()) - shift * shift.transpose();
  moments.covarianceT = withT - shift * (moments.meanT - m_whole.meanT);
  // If nearly all of a variance lies between examples, the difference has lost its digits.
  for (Eigen::Index i = 0; i < dim; ++i) {
    const double whole = m_whole.covariance(i, i);
    if (!isConstant(whole, m_whole.mean[i]) && !(moments.covariance(i, i) > 1e-4 * whole))
      return twoPass(times);
  }
  return moments;
}

Moments ResampledMoments::twoPass(const std::vector<std::int32_t>& times) const {
  std::vector<std::int64_t> repeated;
  for (const std::size_t row : m_order) {
    const auto weight = times[static_cast<std::size_t>(m_rows.example[row])];
    repeated.insert(repeated.end(), static_cast<std::size_t>(weight), static_cast<std::int64_t>(row));
  }
  return momentsOf(rowsAt(m_rows, repeated));
}

}  // namespace plastiscope
